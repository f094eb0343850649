export type { ScriptEntry, ScriptedCall, ScriptedReply } from "./script.ts";
export { type ScriptedModel, type ScriptedOptions, scripted } from "./scripted.ts";
