import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { catalogue } from "../texts/texts.js";
import { Part } from "./part.js";

/** Where a device is: degrees, and metres of inaccuracy. */
export interface Here {
  readonly latitude: string;
  readonly longitude: string;
  readonly accuracy: number;
}

/** The position that a text such as "-6.2088, 106.8456" has, as maps give it; undefined for another text. */
export function pairOf(text: string): Pick<Here, "latitude" | "longitude"> | undefined {
  const found = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,;\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text);
  return found?.[1] && found[2] ? { latitude: found[1], longitude: found[2] } : undefined;
}

/** The position that is pasted, which takes both fields of it. */
export function pasted(event: ClipboardEvent): Pick<Here, "latitude" | "longitude"> | undefined {
  const pair = pairOf(event.clipboardData?.getData("text") ?? "");
  if (pair) event.preventDefault();
  return pair;
}

const words = catalogue({
  en: {
    use: "Use this device's position",
    why: "Stand in the middle of the site. Your browser then asks whether this page may know where you are; only the position that you save is kept.",
    looking: "Looking for the position…",
    found: (metres: number) => `Position found, accurate to ${metres} m.`,
    rough: (metres: number) =>
      `The position is accurate to ${metres} m only. Go outside or use a phone, and try again.`,
    denied:
      "This browser does not give the position to this page. Allow it beside the address at the top and try again, or type the coordinates.",
    unavailable: "The position cannot be found just now. Try again, or type the coordinates.",
  },
  id: {
    use: "Pakai posisi perangkat ini",
    why: "Berdirilah di tengah lokasi. Peramban lalu bertanya apakah halaman ini boleh tahu posisi Anda; hanya posisi yang Anda simpan yang disimpan.",
    looking: "Mencari posisi…",
    found: (metres: number) => `Posisi ditemukan, tepat dalam ${metres} m.`,
    rough: (metres: number) => `Posisi hanya tepat dalam ${metres} m. Keluarlah atau pakai ponsel, lalu coba lagi.`,
    denied:
      "Peramban ini tidak memberi posisi kepada halaman ini. Izinkan di samping alamat di atas dan coba lagi, atau ketik koordinat.",
    unavailable: "Posisi tidak dapat ditemukan saat ini. Coba lagi, atau ketik koordinat.",
  },
});

/** Metres of inaccuracy beyond which a position is a bad centre of a site. */
const rough = 50;
/** How long a position is waited for, in milliseconds. */
const patience = 20_000;

/** A button that finds where this device is; `wf-here` has a Here as its detail. */
@customElement("wf-here")
export class WhereHere extends Part {
  @state() private told: "" | "looking" | "denied" | "unavailable" | number = "";

  protected override render(): TemplateResult {
    const t = words();
    const { told } = this;
    const text =
      typeof told === "number" ? (told > rough ? t.rough(told) : t.found(told)) : told === "looking" ? t.looking : "";
    return html`<div class="field">
      <button type="button" aria-describedby="here-why" ?disabled=${told === "looking"} @click=${this.#look}>${t.use}</button>
      <p id="here-why" class="hint">${t.why}</p>
      <p role="status" class="outcome">${text}</p>
      ${told === "denied" || told === "unavailable" ? html`<p class="fault" role="alert">${t[told]}</p>` : nothing}
    </div>`;
  }

  readonly #look = (): void => {
    this.told = "looking";
    if (!("geolocation" in navigator)) {
      this.told = "unavailable";
      return;
    }
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        this.told = Math.max(1, Math.round(coords.accuracy));
        const detail: Here = {
          latitude: coords.latitude.toFixed(6),
          longitude: coords.longitude.toFixed(6),
          accuracy: this.told,
        };
        this.dispatchEvent(new CustomEvent("wf-here", { detail }));
      },
      (error) => {
        this.told = error.code === error.PERMISSION_DENIED ? "denied" : "unavailable";
      },
      { enableHighAccuracy: true, timeout: patience, maximumAge: 0 },
    );
  };
}
