import { catalogue } from "../texts/texts.js";

const en = {
  heading: "Your face",
  private: "No picture leaves this device or is kept: only 468 points of your face are sent.",
  preview: "What the camera sees",
  take: "Take it now",
  cancel: "Cancel",
  again: "Try again",
  without: "Go on without a face",
  starting: "Starting the camera. Your browser may ask whether this page may use it.",
  loading: "Loading what finds faces. It is 3 MB, the first time only.",
  taken: "Done.",
  advice: {
    none: "No face",
    several: "Two faces: be alone",
    outside: "Bring your face into the oval",
    closer: "Closer",
    farther: "Further away",
    dark: "Turn to the light",
    turned: "Look straight ahead",
    hold: "Hold still",
  },
  faults: {
    denied:
      "This browser does not give the camera to this page. Allow it beside the address at the top, then try again.",
    none: "There is no camera here.",
    busy: "The camera does not start. Another app may be using it: close that, then try again.",
    offline: "What finds faces is not on this device yet, and there is no connection.",
    failed: "What finds faces did not start. Try again, or use another browser.",
  },
};

const id: typeof en = {
  heading: "Wajah Anda",
  private: "Tidak ada gambar yang keluar dari perangkat ini atau disimpan: hanya 468 titik wajah Anda yang dikirim.",
  preview: "Yang dilihat kamera",
  take: "Ambil sekarang",
  cancel: "Batal",
  again: "Coba lagi",
  without: "Lanjut tanpa wajah",
  starting: "Menyalakan kamera. Peramban mungkin bertanya apakah halaman ini boleh memakainya.",
  loading: "Memuat pencari wajah. Ukurannya 3 MB, hanya pada kali pertama.",
  taken: "Selesai.",
  advice: {
    none: "Tidak ada wajah",
    several: "Ada dua wajah: sendirilah",
    outside: "Bawa wajah Anda ke dalam oval",
    closer: "Lebih dekat",
    farther: "Lebih jauh",
    dark: "Hadaplah ke cahaya",
    turned: "Lihat lurus ke depan",
    hold: "Jangan bergerak",
  },
  faults: {
    denied: "Peramban ini tidak memberi kamera kepada halaman ini. Izinkan di samping alamat di atas, lalu coba lagi.",
    none: "Tidak ada kamera di sini.",
    busy: "Kamera tidak menyala. Mungkin dipakai aplikasi lain: tutup aplikasi itu, lalu coba lagi.",
    offline: "Pencari wajah belum ada di perangkat ini, dan tidak ada sambungan.",
    failed: "Pencari wajah tidak dapat dijalankan. Coba lagi, atau pakai peramban lain.",
  },
};

export const faceTexts = catalogue({ en, id });
