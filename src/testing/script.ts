import type { JsonObject } from "../message/json.ts";
import type { StopReason } from "../message/message.ts";
import type { Usage } from "../message/usage.ts";
import type { ModelEvent, ModelFailure, ModelRequest } from "../model/model.ts";

/** A tool call in a scripted reply. */
export type ScriptedCall = {
  readonly name: string;
  /** An object is sent as its JSON; a string is sent as it is, so that broken arguments can be scripted. Default `{}`. */
  readonly arguments?: JsonObject | string;
  /** Default: `call_<request>_<position>`, both from 1, unique in the script. */
  readonly id?: string;
  /** The reply is cut inside these arguments: no `call_end` is sent. */
  readonly partial?: true;
};

/** What a reply says: parts that are cut into deltas, or the deltas themselves. */
type Said =
  | {
      readonly text?: string;
      /** Sent before the text. */
      readonly reasoning?: string;
      /** Sent behind the text. */
      readonly calls?: readonly ScriptedCall[];
      /** Longest delta of text, reasoning and arguments, in characters. Default: each is one delta. */
      readonly chunk?: number;
      readonly deltas?: never;
    }
  | {
      /** Events exactly as they are to be sent; a string is a delta of text. An `end` among them ends the reply. */
      readonly deltas: readonly (string | ModelEvent)[];
      readonly text?: never;
      readonly reasoning?: never;
      readonly calls?: never;
      readonly chunk?: never;
    };

/** How a reply ends: normally, or in one of the ways in which streams go wrong. */
type Ends =
  | {
      /** Default: `length` if a call is partial, else `tool_calls` if there are calls, else `stop`. */
      readonly stopReason?: StopReason;
      /** Default: no tokens. */
      readonly usage?: Usage;
      readonly cut?: never;
      readonly throwAfter?: never;
      readonly error?: never;
      readonly hang?: never;
    }
  | {
      /** The stream ends cleanly after so many events, without an `end` event. */
      readonly cut: number;
      readonly stopReason?: never;
      readonly usage?: never;
      readonly throwAfter?: never;
      readonly error?: never;
      readonly hang?: never;
    }
  | {
      /** The stream throws after so many events, like a broken socket. */
      readonly throwAfter: number;
      readonly stopReason?: never;
      readonly usage?: never;
      readonly cut?: never;
      readonly error?: never;
      readonly hang?: never;
    }
  | {
      /** Behind what it says the reply ends with stop reason `error` and this failure. */
      readonly error: ModelFailure;
      readonly usage?: Usage;
      readonly stopReason?: never;
      readonly cut?: never;
      readonly throwAfter?: never;
      readonly hang?: never;
    }
  | {
      /** Behind what it says the reply goes on for ever: it ends only when the request's signal fires. */
      readonly hang: true;
      readonly stopReason?: never;
      readonly usage?: never;
      readonly cut?: never;
      readonly throwAfter?: never;
      readonly error?: never;
    };

/** One reply as data. A string is a reply of only this text. */
export type ScriptedReply =
  | string
  | (Said &
      Ends & {
        /** Milliseconds before the first event. Default 0: no timer is set. */
        readonly delayMs?: number;
        /** Milliseconds before each event. Default 0. */
        readonly deltaDelayMs?: number;
      });

/** A reply as an object. */
export type ReplyObject = Exclude<ScriptedReply, string>;

/**
 * A reply that is made when it is asked for, from a copy of the request, its position from 0, and the signal. What it
 * throws breaks the stream and fails `check()`.
 */
export type ScriptFunction = (
  request: ModelRequest,
  index: number,
  signal: AbortSignal,
) => ScriptedReply | Promise<ScriptedReply>;

/** One entry of a script. */
export type ScriptEntry = ScriptedReply | ScriptFunction;
