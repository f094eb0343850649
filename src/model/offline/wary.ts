/**
 * Words that turn a request for a change into something else: that it is not wanted, only thought of, told of, or bound to
 * a condition. A sentence with one of them outside of quotes changes nothing.
 */
const words =
  "not|never|cannot|no|nobody|none|nothing|neither|nor|without|avoid\\w*|refrain\\w*|forbid\\w*|forbidden|prohibit\\w*|refus\\w*|wrong|mistakes?|instead of|rather than|hypothetical\\w*|suppos\\w*|imagin\\w*|pretend\\w*|assum\\w*|would|should|shall|might|if|before|until|unless|whether|when|whenever|once|after|in case|as soon as|as long as|provided|make sure|make certain|ensure|dangerous|harmful|illegal|said|told|asked|claim(?:s|ed)|wrote|why|how (?!many\\b|much\\b|long\\b|often\\b)\\w+|wants?|wanted|wishes|needs|hopes?|plans to|tries|afraid|kidding|joking|for example|for instance|ask|asks|says to|was|were|did|is what";
const wary = new RegExp(
  `(?<![\\p{L}\\p{N}_./-])(?:${words})(?![\\p{L}\\p{N}_/-]|\\.\\p{L})|n['’]t\\b|\\bdont\\b`,
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

/** A condition that speaks of what stands before it. */
export function bindsBack(part: string): boolean {
  return bound.test(part);
}
