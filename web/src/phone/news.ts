/** What the frame tells of a new version: how to change to it, which loads the page anew; undefined while there is none. */
export const news: { reload?: () => void } = {};

/** Tells the frame that there is a new version. */
export function tell(reload: () => void): void {
  news.reload = reload;
  dispatchEvent(new Event("wf-news"));
}
