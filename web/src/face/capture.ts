/** A point of a face. */
export interface FacePoint {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** The points of a face; undefined without a camera. */
export async function captureFace(_why: string): Promise<readonly FacePoint[] | undefined> {
  return undefined;
}
