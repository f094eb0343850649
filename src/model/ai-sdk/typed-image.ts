import { imageTypeOf } from "../../message/media-type.ts";

/** The image with the type that its bytes say: some providers compare, and refuse the request. */
export function typedImage<T extends { readonly data: string; readonly mediaType: string }>(image: T): T {
  const { data, mediaType } = image;
  const told = imageTypeOf(Buffer.from(data.slice(0, 16), "base64"));
  const known = told ?? (mediaType === "image/jpg" ? "image/jpeg" : mediaType);
  return known === mediaType ? image : { ...image, mediaType: known };
}
