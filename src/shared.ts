/** The public names that `rondo` and `rondo/core` share. */
export type { AgentDefaults, AgentOptions } from "./agent/agent-options.ts";
export type { Content, ContentPart } from "./agent/content.ts";
export type { ExplainOptions } from "./agent/explained.ts";
export type { Recursion } from "./agent/frame.ts";
export type { Declare, GivenOf, Method, MethodOptions } from "./agent/method.ts";
export type { MethodRun, MethodRunOptions } from "./agent/method-run.ts";
export type {
  Approval,
  ApprovalRequest,
  Approvals,
  Approve,
  ChooseOptions,
  ExecOptions,
  GetMessages,
  Limits,
  Price,
  RunOptions,
  RuntimeOptions,
  SendOptions,
  ToolChoice,
  Toolset,
} from "./agent/options.ts";
export { isRunError, type RunError } from "./agent/run-error.ts";
export type { Runs } from "./agent/runs.ts";
export type { Run, Runtime } from "./agent/runtime.ts";
export type { NoOptions, ValueOf } from "./agent/value-of.ts";
export {
  type Choice,
  type Choices,
  type ChoicesValue,
  type OptionText,
  option,
  type SchemaOption,
  type ValueOption,
} from "./decision/option.ts";
export type { OutputOf } from "./decision/output-type.ts";
export { RondoError, type RondoErrorCode } from "./error.ts";
export type {
  ApprovalAnswer,
  Awaitable,
  Host,
  HostFactory,
  Lost,
  Msg,
  MsgKind,
  OpenRun,
  Outgoing,
  Receipt,
  ReceiptStatus,
  Recorded,
  RunClient,
  StepContext,
  StepOptions,
  Taken,
  When,
} from "./host/host.ts";
export { memory } from "./host/memory.ts";
export type { AgentEndEvent, AgentEvent, EventPosition, MessageUpdate, RoundLabel } from "./loop/events.ts";
export type { LimitOutcome, Outcome, RunResult } from "./loop/outcome.ts";
export type { ApprovalMode, ApprovalScope } from "./menu/approval/mode.ts";
export type { ToolContext } from "./menu/context.ts";
export type { OwnEntry } from "./menu/entry.ts";
export type { ToolExplanation } from "./menu/explain.ts";
export type { Preset, Presets } from "./menu/presets.ts";
export {
  type ApprovalRule,
  type ArgumentsOf,
  type AvailabilityQuestion,
  type BuiltInToolName,
  type NamedTool,
  type RegisteredTools,
  type SpecTool,
  type StandardInput,
  type Tool,
  type ToolDefinition,
  type ToolEntry,
  type ToolInput,
  type ToolName,
  type ToolOptions,
  tool,
} from "./menu/tool.ts";
export type { ModelTimeout } from "./menu/tool-timeout.ts";
export type { Json, JsonObject } from "./message/json.ts";
export type {
  AssistantContent,
  AssistantMessage,
  FileContent,
  ImageContent,
  JsonContent,
  LinkedImage,
  Message,
  ProviderData,
  ReasoningContent,
  StopReason,
  TextContent,
  ToolCall,
  ToolResultContent,
  ToolResultMessage,
  UserContent,
  UserMessage,
} from "./message/message.ts";
export { textOf } from "./message/message.ts";
export { result, type ToolResult, type ToolResultInit } from "./message/result.ts";
export type { Usage } from "./message/usage.ts";
export { type AiSdkOptions, aiSdk } from "./model/ai-sdk/ai-sdk.ts";
export type { AiSdkModel } from "./model/ai-sdk/language-model.ts";
export { type FallbackOptions, fallback } from "./model/fallback.ts";
export type { IdleOptions } from "./model/idle.ts";
export type {
  Effort,
  JsonSchema,
  Model,
  ModelEvent,
  ModelFailure,
  ModelRequest,
  RequestToolChoice,
  RetryInfo,
  ToolDeclaration,
} from "./model/model.ts";
export type { Connection as ModelConnection, Environment as ModelEnvironment } from "./model/providers.ts";
export { type ResolveOptions, resolveModel } from "./model/resolve.ts";
export type { RetryOptions } from "./model/retry.ts";
export { type TextToolsOptions, textTools } from "./model/text-tools/text-tools.ts";
