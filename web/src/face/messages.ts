import type { Picture } from "./geometry.js";

/** A picture that the worker is to look at. It is gone from the page then. */
export interface Look {
  readonly picture: Picture;
}

/** What the worker says: that it is ready, that it cannot work, or what it saw in the last picture. */
export type Answer =
  | { readonly state: "ready" }
  | { readonly state: "failed"; readonly reason: string }
  | {
      readonly state: "seen";
      /** The surest face first. */
      readonly faces: readonly Seen[];
      /** x, y and z of each point of the first face, in pixels of a picture of width and height. */
      readonly points: Float32Array | undefined;
      readonly width: number;
      readonly height: number;
      /** How light the two halves of the first face are, each from 0 to 255. */
      readonly light: readonly [left: number, right: number] | undefined;
    };

/** The box of a face, in parts of the picture's width and height. */
export interface Seen {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}
