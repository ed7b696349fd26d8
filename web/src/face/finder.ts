import {
  around,
  aroundPoints,
  type Found,
  faces,
  meshed,
  type Picture,
  placed,
  type Region,
  sample,
  searched,
  whole,
} from "./geometry.js";
import type { Model } from "./model.js";

/** What was found in a picture. */
export interface Sight {
  /** The surest first, in parts of the square around the picture. */
  readonly faces: readonly Found[];
  /** x, y and z of each point of the first, in pixels; undefined where it is hardly a face when seen from near. */
  readonly points?: Float32Array;
}

/** From which score on the mesh lies on a face. */
const meshScore = 0.5;

/** Finds faces in pictures, and the points of the surest, by MediaPipe's BlazeFace and Face Mesh. */
export class Finder {
  constructor(
    private readonly detector: Model,
    private readonly mesh: Model,
  ) {}

  see(picture: Picture): Sight {
    const all = whole(picture);
    const found = this.detect(sample(picture, all, searched, -1));
    const [first] = found;
    // The second look is from where the points are, not from where the detector guessed.
    const guess = first && this.points(picture, around(first, all));
    const points = guess && this.points(picture, aroundPoints(guess));
    return points ? { faces: found, points } : { faces: found };
  }

  private detect(pixels: Float32Array): Found[] {
    const [s1, b1, s2, b2] = this.detector.run(pixels, searched, [
      "Identity",
      "Identity_2",
      "Identity_1",
      "Identity_3",
    ]);
    return faces([...(s1 ?? []), ...(s2 ?? [])], [...(b1 ?? []), ...(b2 ?? [])]);
  }

  private points(picture: Picture, region: Region): Float32Array | undefined {
    const [score, mesh] = this.mesh.run(sample(picture, region, meshed, 0), meshed, ["Identity_1", "Identity_2"]);
    return mesh && (score?.[0] ?? 0) >= meshScore ? placed(mesh, region) : undefined;
  }
}
