/** The highest status that a response which a program makes may have; proxies invent others. */
const highest = 599;

/** The response with another body. Its reason stays as the server wrote it, which may be in letters that a program may not give one. */
export function withBody(
  response: Response,
  body: ReadableStream<Uint8Array>,
  headers: Headers = response.headers,
): Response {
  const { status, statusText } = response;
  const made = new Response(body, { status: Math.min(status, highest), headers });
  const reason = status > highest ? `${status} ${statusText}`.trim() : statusText;
  return Object.defineProperty(made, "statusText", { value: reason });
}
