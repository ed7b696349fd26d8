import type { Picture } from "./geometry.js";

/** Why there is no picture of the camera. */
export type CameraFault = "denied" | "none" | "busy";

/** Pictures that are looked at, in pixels. The format never changes: in another one a face has another shape. */
const [width, height] = [360, 480];

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

/** The middle of what a video shows, as large as fits in 3 : 4. */
export class Eye {
  readonly #canvas = document.createElement("canvas");

  constructor() {
    this.#canvas.width = width;
    this.#canvas.height = height;
  }

  /** The picture of now; undefined before the first. */
  picture(video: HTMLVideoElement): Picture | undefined {
    const [w, h] = [video.videoWidth, video.videoHeight];
    const context = this.#canvas.getContext("2d", { willReadFrequently: true });
    if (w === 0 || h === 0 || !context) return undefined;
    const part = Math.min(w / width, h / height);
    const [cw, ch] = [width * part, height * part];
    context.drawImage(video, (w - cw) / 2, (h - ch) / 2, cw, ch, 0, 0, width, height);
    return { width, height, data: context.getImageData(0, 0, width, height).data };
  }
}
