const name = "wf-no-camera";

/** Whether no camera was found, or none may be used, in this visit. */
export function noCamera(): boolean {
  return sessionStorage.getItem(name) !== null;
}

/** Remembers for this visit whether there is no camera. */
export function rememberNoCamera(none: boolean): void {
  if (none) sessionStorage.setItem(name, "1");
  else sessionStorage.removeItem(name);
}

/** Whether a camera opens now. The browser may ask whether it may. */
export async function cameraOpens(): Promise<boolean> {
  try {
    const { closeCamera, openCamera } = await import("../../face/camera.js");
    closeCamera(await openCamera());
    return true;
  } catch {
    return false;
  }
}
