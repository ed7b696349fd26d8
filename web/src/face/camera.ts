import type { Picture } from "./geometry.js";

/** Why there is no picture of the camera. */
export type CameraFault = "denied" | "none" | "busy";

/**
 * The side of the pictures that are looked at, in pixels. They are square: x, y and z then have one scale, and a face that
 * turns keeps its shape.
 */
const side = 480;

/** Opens the camera at the front. Rejects with what cameraFault names. */
export async function openCamera(): Promise<MediaStream> {
  const size = { width: { ideal: 640 }, height: { ideal: 480 } };
  return await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "user", ...size } });
}

export function cameraFault(error: unknown): CameraFault {
  if (!(error instanceof DOMException)) return "none"; // a browser that has no cameras at all
  if (error.name === "NotAllowedError" || error.name === "SecurityError") return "denied";
  return error.name === "NotFoundError" || error.name === "OverconstrainedError" ? "none" : "busy";
}

export function closeCamera(stream: MediaStream | undefined): void {
  for (const track of stream?.getTracks() ?? []) track.stop();
}

/** The middle of what a video shows, as large a square as fits. */
export class Eye {
  readonly #canvas = document.createElement("canvas");

  constructor() {
    this.#canvas.width = side;
    this.#canvas.height = side;
  }

  /** The picture of now; undefined before the first. */
  picture(video: HTMLVideoElement): Picture | undefined {
    const [w, h] = [video.videoWidth, video.videoHeight];
    const context = this.#canvas.getContext("2d", { willReadFrequently: true });
    if (w === 0 || h === 0 || !context) return undefined;
    const cut = Math.min(w, h);
    context.drawImage(video, (w - cut) / 2, (h - cut) / 2, cut, cut, 0, 0, side, side);
    return { width: side, height: side, data: context.getImageData(0, 0, side, side).data };
  }
}
