package pages

import (
	"net/http"

	"workforce/internal/errs"
)

// advice is what to do about an error, by language.
type advice map[string]string

// adviceFor returns what to do about a code: its own advice, or else that of
// its status; nil where there is neither.
func adviceFor(code errs.Code) advice {
	if a, ok := codeAdvice[code]; ok {
		return a
	}
	return statusAdvice[code.Status()]
}

var statusAdvice = map[int]advice{
	http.StatusBadRequest: {
		"en": "Send a JSON object, or a well-formed GraphQL request, in UTF-8. The same request will fail again.",
		"id": "Kirim objek JSON, atau permintaan GraphQL yang benar bentuknya, dalam UTF-8. Permintaan yang sama akan gagal lagi."},
	http.StatusUnauthorized: {
		"en": "Send a valid token of the kind that meta.token names. meta.reason says what is wrong with the one that was sent: get a new access token with the refresh token, or sign in again.",
		"id": "Kirim token sah dari jenis yang disebut meta.token. meta.reason menjelaskan apa yang salah: minta access token baru dengan refresh token, atau masuk kembali."},
	http.StatusForbidden: {
		"en": "Ask an administrator of your company for the permission. Trying again does not help.",
		"id": "Mintalah izin kepada administrator perusahaan Anda. Mencoba lagi tidak akan membantu."},
	http.StatusNotFound: {
		"en": "Check the address and the id. What you may not see is not found either. errors[0].field names the reference that was not found, if it was one.",
		"id": "Periksa alamat dan id. Data yang tidak boleh Anda lihat juga dianggap tidak ada. errors[0].field menyebut rujukan yang tidak ditemukan, bila ada."},
	http.StatusMethodNotAllowed: {
		"en": "Use one of the methods that the Allow header lists.",
		"id": "Pakai salah satu metode yang tertera pada header Allow."},
	http.StatusConflict: {
		"en": "Read the current state again, and decide by it what is still to be done.",
		"id": "Baca ulang keadaan terkini, lalu tentukan apa yang masih perlu dilakukan."},
	http.StatusRequestEntityTooLarge: {
		"en": "Send less at once: a smaller picture, a shorter list, or several requests.",
		"id": "Kirim lebih sedikit sekaligus: gambar yang lebih kecil, daftar yang lebih pendek, atau beberapa permintaan."},
	http.StatusUnsupportedMediaType: {
		"en": "Set Content-Type to application/json, or to multipart/form-data where files are uploaded.",
		"id": "Isi Content-Type dengan application/json, atau multipart/form-data untuk mengunggah berkas."},
	http.StatusUnprocessableEntity: {
		"en": "Correct what the message and errors name, and send it again.",
		"id": "Perbaiki yang disebut pada pesan dan errors, lalu kirim kembali."},
	http.StatusUpgradeRequired: {
		"en": "Install the newer version; meta.updateUrl says where it is.",
		"id": "Pasang versi yang lebih baru; meta.updateUrl menunjukkan tempatnya."},
	http.StatusTooManyRequests: {
		"en": "Wait as many seconds as Retry-After says before trying again.",
		"id": "Tunggu sebanyak detik pada Retry-After sebelum mencoba lagi."},
	http.StatusInternalServerError: {
		"en": "Try again later. If it stays, tell support the requestId: the cause is in the log under it.",
		"id": "Coba lagi nanti. Bila tetap gagal, sampaikan requestId kepada tim dukungan: penyebabnya tercatat di log."},
	http.StatusServiceUnavailable: {
		"en": "Wait as many seconds as Retry-After says, then send the same request, with the same X-Req-Id.",
		"id": "Tunggu sebanyak detik pada Retry-After, lalu kirim permintaan yang sama dengan X-Req-Id yang sama."},
}

// codeAdvice holds what is more to the point than the advice of the status.
var codeAdvice = map[errs.Code]advice{
	errs.InvalidCredentials: {
		"en": "Check the user name and the password, or reset the password by Forgot Password.",
		"id": "Periksa nama pengguna dan kata sandi, atau atur ulang lewat Lupa Kata Sandi."},
	errs.VerificationRequired: {
		"en": "Enter the code that was sent, then do this again.",
		"id": "Masukkan kode yang telah dikirim, lalu ulangi."},
	errs.AlreadyClockedIn: {
		"en": "Clock out first, or go on: you are at work already.",
		"id": "Absen keluar dahulu, atau lanjutkan saja: Anda sudah tercatat bekerja."},
	errs.NotClockedIn: {
		"en": "Clock in first.",
		"id": "Absen masuk dahulu."},
	errs.NoRunningTimer: {
		"en": "Start the timer first.",
		"id": "Mulai pengukur waktu dahulu."},
	errs.TaskInUse: {
		"en": "Close the task instead of deleting it: the time booked on it stays.",
		"id": "Tutup tugas ini, jangan dihapus: waktu yang tercatat tetap tersimpan."},
	errs.DesignationInUse: {
		"en": "Move its users and the designations below it elsewhere first.",
		"id": "Pindahkan dahulu pengguna dan jabatan di bawahnya."},
	errs.ReportNotReady: {
		"en": "Ask for the report again in a few seconds.",
		"id": "Minta laporan ini lagi beberapa detik kemudian."},
	errs.IdempotencyInProgress: {
		"en": "Wait as many seconds as Retry-After says, then send the same request again: the first one's answer comes back.",
		"id": "Tunggu sebanyak detik pada Retry-After, lalu kirim permintaan yang sama: jawaban yang pertama akan diberikan."},
	errs.OTPExpired: {
		"en": "Ask for a new code, and enter it within its time.",
		"id": "Minta kode baru, lalu masukkan sebelum kedaluwarsa."},
	errs.OTPExhausted: {
		"en": "Ask for a new code; this one is void.",
		"id": "Minta kode baru; kode ini tidak berlaku lagi."},
	errs.PasswordWeak: {
		"en": "Choose a longer password, of several words, that is not a known one.",
		"id": "Pilih kata sandi yang lebih panjang, dari beberapa kata, dan bukan yang umum."},
	errs.PasswordKeyInvalid: {
		"en": "Get the key anew from Encrypt, and encrypt the password with it (JWE, RSA-OAEP-256 and A256GCM).",
		"id": "Ambil kunci lagi dari Encrypt, lalu sandikan kata sandi dengannya (JWE, RSA-OAEP-256 dan A256GCM)."},
	errs.NoShift: {
		"en": "Ask your manager to assign you a shift for today.",
		"id": "Minta atasan Anda menetapkan shift untuk hari ini."},
	errs.ShiftWindowClosed: {
		"en": "Clock in within the times that are named. If you were at work, ask for a correction.",
		"id": "Absen pada waktu yang disebut. Bila Anda memang bekerja, ajukan koreksi."},
	errs.LocationNotAllowed: {
		"en": "Choose a work site of your shift, or ask your manager to add this one.",
		"id": "Pilih lokasi kerja dari shift Anda, atau minta atasan menambahkan lokasi ini."},
	errs.OutsideLocation: {
		"en": "Go nearer to the work site, wait until the position has settled, and try again.",
		"id": "Mendekatlah ke lokasi kerja, tunggu posisi menjadi tepat, lalu coba lagi."},
	errs.LowAccuracy: {
		"en": "Turn on precise location, step outside or to a window, and try again.",
		"id": "Aktifkan lokasi akurat, pindahlah ke luar atau dekat jendela, lalu coba lagi."},
	errs.FaceRequired: {
		"en": "Take a picture of your face when clocking in.",
		"id": "Ambil gambar wajah Anda saat absen."},
	errs.FaceMismatch: {
		"en": "Try again in better light, facing the camera. If your looks have changed, ask your manager to reset the registered face.",
		"id": "Coba lagi dengan cahaya lebih baik dan menghadap kamera. Bila penampilan berubah, minta atasan mengatur ulang wajah terdaftar."},
	errs.FaceReplayed: {
		"en": "Take a new picture each time.",
		"id": "Ambil gambar baru setiap kali."},
	errs.RecordedAtOutOfRange: {
		"en": "Set the clock of the phone to network time. What was recorded longer ago is asked for as a correction.",
		"id": "Atur jam ponsel mengikuti waktu jaringan. Yang direkam lebih lama dari itu diajukan sebagai koreksi."},
	errs.IdempotencyMismatch: {
		"en": "Use a new key for each request; keep it only to repeat the very same one.",
		"id": "Pakai kunci baru untuk tiap permintaan; pakai lagi hanya untuk mengulang permintaan yang persis sama."},
}
