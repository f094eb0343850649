export type { ScriptEntry, ScriptedCall, ScriptedReply, ScriptFunction } from "./script.ts";
export { type ScriptedModel, type ScriptedOptions, scripted } from "./scripted.ts";
