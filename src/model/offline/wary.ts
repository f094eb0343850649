import { stem } from "../../ranker/stem.ts";
import { words } from "../../ranker/tokens.ts";
import { isNounish, isPlainVerb } from "./lexicon.ts";

/**
 * Words that turn a request for a change into something else: that it is not wanted, only thought of, told of, or bound to
 * a condition. A sentence with one of them outside of quotes changes nothing.
 */
const waryWords =
  "not|never|cannot|no|nobody|none|nothing|neither|nor|without|avoid\\w*|refrain\\w*|forbid\\w*|forbidden|prohibit\\w*|refus\\w*|wrong|mistakes?|instead of|rather than|except(?:ing)?|excluding|other than|apart from|hypothetical\\w*|suppos\\w*|imagin\\w*|pretend\\w*|assum\\w*|would|should|shall|might|if|before|until|unless|whether|either|or(?! (?:more|less|fewer|so|later|earlier|higher|lower|above|below|over|under|better)\\b)|when|whenever|once|after|in case|as soon as|as long as|provided|make sure|make certain|ensure|dangerous|harmful|illegal|said|told|asked|claim(?:s|ed)|wrote|why|how (?!many\\b|much\\b|long\\b|often\\b)\\w+|wants?|wanted|wishes|needs|hopes?|plans to|tries|afraid|kidding|joking|for example|for instance|ask|asks|says to|was|were|did|is what";
const wary = new RegExp(
  `(?<![\\p{L}\\p{N}_./-])(?:${waryWords})(?![\\p{L}\\p{N}_/-]|\\.\\p{L})|n['’]t\\b|\\bdont\\b`,
  "iu",
);
// "Remember that …", "Note how …" ask for no more than a thought.
const musing =
  /^(?:remember|note|record|recall|store|register|raise|consider|say|report)\s+(?:that|how|what|when|where|who)\b/iu;
const polite = /\b(?:can|could|would|will) you\b/iu;
const bound =
  /^(?:(?:only|just|not|even)?\s*(?:if|when|unless|after|before|once|in case|as soon as)|(?:only|just|not)\s+(?:yet|now|today|tomorrow|later|really|for real)|wait|later|hold on|ask me|(?:keep|leave|preserve|retain)\s+(?:\S+\s+)*?(?:rest|else|others?|existing|intact|alone|untouched|unchanged|as it is|already))\b/iu;

/** Whether a sentence, politeness at its beginning left out and quotes set aside, is no plain demand. */
export function isWary(sentence: string): boolean {
  return wary.test(sentence) || musing.test(sentence);
}

/** Whether a sentence that is no polite demand asks something. */
export function isQuestion(sentence: string): boolean {
  return /\?["')\]\s]*$/u.test(sentence) && !polite.test(sentence);
}

/** A condition that speaks of what stands before it, or says more of it. */
export function bindsBack(part: string): boolean {
  return bound.test(part) || looksBack(part) !== undefined;
}

const takenBack =
  /^(?:(?:but|and|oh|hm+|well|actually|sorry)\b[,.!\s]*)*(?:no(?:pe)?(?=[,.!;:\s]*(?:$|wait|stop|do|that|i\b|not|never))|not (?:really|yet|now|today|for real|that|this|so fast)\b|(?:please )?(?:do not|don['’]?t)(?:$| (?:do|actually|really|overwrite|replace|write|touch|save|create|change|edit|make)\b(?!.*\belse\b))|never mind|nevermind|forget (?:it|that|this|about)|scratch that|cancel (?:that|it|this)|undo (?:that|it|this)|stop\b|wait\b|hold on|on second thoughts?|(?:i['’]?m |i am |i was )?(?:just |only )?(?:kidding|joking)|(?:it|this|that) (?:is|was) (?:just |only )?a (?:joke|test|question|hypothetical|example)|ask me|(?:let me|i(?:['’]ll| will| want to| have to| need to)) (?:first )?(?:check|confirm|approve|see|decide|think)|later\b|tomorrow\b)/iu;
const limited =
  /^(?:(?:but|and|or)\s+)*(?:(?:only|just)\s+(?:if|when|once|after|in|on|at|within|for|the|where|its?|one|lines?)\b|except|excluding|besides\b|other than|apart from|unless|if\b(?!\s+(?:(?:that|it|this|all|everything)\s+)?(?:works|worked|succeeds|succeeded|fails|failed|went|goes)\b)|in case|before\b|as long as|provided|(?:keep|leave|preserve|retain)\s+(?:\S+\s+)*?(?:rest|else|others?|existing|intact|alone|untouched|unchanged|as it is|already)\b|not (?:in|on|at|the|if|all|every|when)\b)/iu;

const modifying =
  /^(?:(?:but|and|or|also|please)\s+)*(?:skip|ignor(?:e|ing)|exclud(?:e|ing)|omit|match|respect|append|prepend|limit|restrict|mind|treat|capitali[sz]e|count only|stop at|start (?:at|with|from)|use (?:regex|case|whole|the same))\b/iu;
const fragment =
  /^(?:and\s+)?(?:in|on|at|by|to|from|with|within|under|over|per|as|for|like|via|using|the|an?|its|their|every|each|all|both|any|some|one|two|three|first|second|third|last|once|twice|case|whole|upper|lower|capitals?|capitalized|reversed|sorted|[\p{L}-]+ly)\b/iu;
const statement =
  /(?<!\p{L})(?:is|are|was|were|be|has|have|had|does|do|did|can|could|will|would|i|you|we|they|he|she)(?!\p{L})/iu;

/** Some words without a verb of their own: "the second one", "in capitals". */
function isFragment(sentence: string): boolean {
  const said = words(sentence);
  if (said.length > 8 || !fragment.test(sentence) || statement.test(sentence)) return false;
  return !said.some((word) => isPlainVerb(word) && !isNounish(stem(word)));
}

/** A sentence behind others that takes them back, or that says more of the one right before it: where, when, what not. */
export function looksBack(sentence: string): "all" | "last" | undefined {
  return takenBack.test(sentence)
    ? "all"
    : limited.test(sentence) || modifying.test(sentence) || isFragment(sentence)
      ? "last"
      : undefined;
}
