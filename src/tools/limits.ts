/** Longest result of a reading tool in UTF-16 units: below the loop's default cap, so that what is cut is cut here, where going on can be explained. */
export const maxChars = 28_000;

/** Longest line that is shown whole, in bytes of a file or characters of a match. */
export const maxLine = 2_000;
