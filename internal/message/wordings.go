package message

// A wording is a message in one language. Text and note are templates over
// Facts, read as plain text and as HTML.
type wording struct{ subject, text, note string }

// wordings is the one table of texts: English, then Indonesian, as in
// errs.Languages. Plain texts keep to letters that text messages carry at 160 a
// piece.
var wordings = map[Kind][2]wording{
	LoginCode: {
		{"Your sign-in code",
			"{{strong .Code}} is your Workforce sign-in code, valid for {{need .Minutes}} minute{{if ne .Minutes 1}}s{{end}}.",
			"Give it to nobody."},
		{"Kode masuk Anda",
			"{{strong .Code}} adalah kode masuk Workforce Anda, berlaku {{need .Minutes}} menit.",
			"Jangan berikan kepada siapa pun."},
	},
	ResetCode: {
		{"Your code for a new password",
			"{{strong .Code}} is your code for a new Workforce password, valid for {{need .Minutes}} minute{{if ne .Minutes 1}}s{{end}}.",
			"Give it to nobody. If you did not ask for it, ignore this message."},
		{"Kode untuk kata sandi baru",
			"{{strong .Code}} adalah kode untuk kata sandi baru Workforce Anda, berlaku {{need .Minutes}} menit.",
			"Jangan berikan kepada siapa pun. Abaikan jika bukan Anda yang meminta."},
	},
	FaceCode: {
		{"Your code to register your face anew",
			"{{strong .Code}} is your code to register your face for Workforce anew, valid for {{need .Minutes}} minute{{if ne .Minutes 1}}s{{end}}.",
			"Give it to nobody. If you did not ask for it, tell your manager."},
		{"Kode untuk mendaftarkan ulang wajah",
			"{{strong .Code}} adalah kode daftar ulang wajah Workforce Anda, berlaku {{need .Minutes}} menit.",
			"Jangan berikan kepada siapa pun. Bukan permintaan Anda? Beri tahu atasan."},
	},
	PasswordChanged: {
		{"Your password was changed",
			"Your Workforce password was changed on {{at .At}}.",
			"If it was not you, set a new one with Forgot password at once and tell your administrator."},
		{"Kata sandi Anda diubah",
			"Kata sandi Workforce Anda diubah pada {{at .At}}.",
			"Jika bukan Anda, segera buat yang baru lewat Lupa kata sandi dan beri tahu administrator."},
	},
	NewDevice: {
		{"A new device signed in",
			"A new device{{with .Device}} ({{.}}){{end}} signed in to your Workforce account on {{at .At}}.",
			"If it was not you, change your password at once and tell your administrator."},
		{"Perangkat baru masuk",
			"Perangkat baru{{with .Device}} ({{.}}){{end}} masuk ke akun Workforce Anda pada {{at .At}}.",
			"Jika bukan Anda, segera ubah kata sandi dan beri tahu administrator."},
	},
	DeviceRequested: {
		{"A device waits for your approval",
			"{{need .Name}} signed in on another device{{with .Device}} ({{.}}){{end}} on {{at .At}} and may use it once you approve it.",
			"Ask whether it was them. The request ends after 3 days."},
		{"Perangkat menunggu persetujuan Anda",
			"{{need .Name}} masuk dengan perangkat lain{{with .Device}} ({{.}}){{end}} pada {{at .At}} dan dapat memakainya setelah Anda setujui.",
			"Tanyakan apakah memang dia. Permintaan berakhir setelah 3 hari."},
	},
	DeviceApproved: {
		{"Your device was approved",
			"Your device{{with .Device}} ({{.}}){{end}} was approved on {{at .At}}. You can sign in on it.",
			"If it is not yours, change your password at once and tell your administrator."},
		{"Perangkat Anda disetujui",
			"Perangkat Anda{{with .Device}} ({{.}}){{end}} disetujui pada {{at .At}}. Anda dapat masuk dengannya.",
			"Jika bukan milik Anda, segera ubah kata sandi dan beri tahu administrator."},
	},
	DeviceRefused: {
		{"Your device was refused",
			"Your device{{with .Device}} ({{.}}){{end}} was refused on {{at .At}}. You cannot use it for Workforce.",
			"If you did not sign in on it, change your password at once."},
		{"Perangkat Anda ditolak",
			"Perangkat Anda{{with .Device}} ({{.}}){{end}} ditolak pada {{at .At}}. Anda tidak dapat memakainya untuk Workforce.",
			"Jika bukan Anda yang masuk, segera ubah kata sandi."},
	},
	FaceRegistered: {
		{"A face was registered",
			"{{with .Name}}The face of {{.}}{{else}}Your face{{end}} was registered with Workforce on {{at .At}}.",
			"If this was not expected, tell your administrator."},
		{"Wajah didaftarkan",
			"Wajah {{with .Name}}{{.}}{{else}}Anda{{end}} didaftarkan di Workforce pada {{at .At}}.",
			"Jika tidak semestinya, beri tahu administrator."},
	},
	FaceReset: {
		{"Your face is to be registered anew",
			"Your registered face was taken out of use on {{at .At}}. Your next clock-in with a face registers it anew.",
			"If this was not expected, tell your administrator."},
		{"Wajah Anda perlu didaftarkan ulang",
			"Wajah Anda yang terdaftar tidak dipakai lagi sejak {{at .At}}. Absen masuk berikutnya dengan wajah mendaftarkannya ulang.",
			"Jika tidak semestinya, beri tahu administrator."},
	},
	FaceResetRequested: {
		{"A face is to be registered anew",
			"{{need .Name}} asks to register their face anew in Workforce.",
			"Approve it only after you have spoken with them."},
		{"Permintaan daftar ulang wajah",
			"{{need .Name}} meminta pendaftaran ulang wajah di Workforce.",
			"Setujui hanya setelah berbicara dengan yang bersangkutan."},
	},
	FaceResetRejected: {
		{"Your registered face stays",
			"Your request to register your face anew was not approved.",
			"Ask your manager for the reason."},
		{"Wajah terdaftar tidak berubah",
			"Permintaan Anda untuk mendaftarkan ulang wajah tidak disetujui.",
			"Tanyakan alasannya kepada atasan Anda."},
	},
	Invited: {
		{"You are invited to Workforce",
			"{{need .Company}} has invited you to Workforce. Your user name is {{strong .Username}}.",
			"{{with .Link}}Open {{.}} or install the app, and{{else}}Install the app and{{end}} " +
				"choose Forgot password to set your password."},
		{"Anda diundang ke Workforce",
			"{{need .Company}} mengundang Anda ke Workforce. Nama pengguna Anda {{strong .Username}}.",
			"{{with .Link}}Buka {{.}} atau pasang aplikasi, lalu{{else}}Pasang aplikasi dan{{end}} " +
				"pilih Lupa kata sandi untuk membuat kata sandi."},
	},
	ShiftsChanged: {
		{"Your shifts changed",
			"Your shifts at {{need .Company}} changed{{with .Date}} on {{.}}{{end}}.",
			"Open the app to see them."},
		{"Sif Anda berubah",
			"Sif Anda di {{need .Company}} berubah{{with .Date}} pada {{.}}{{end}}.",
			"Buka aplikasi untuk melihatnya."},
	},
	SwapAsked: {
		{"A shift is asked for",
			"{{need .Name}} asks for another shift on {{need .Date}} and waits for your answer.",
			"Open the app to answer."},
		{"Permintaan tukar sif",
			"{{need .Name}} meminta sif lain pada {{need .Date}} dan menunggu jawaban Anda.",
			"Buka aplikasi untuk menjawab."},
	},
	SwapApproved: {
		{"Your shift request was approved",
			"Your request for another shift on {{need .Date}} was approved.",
			"Open the app to see your shifts."},
		{"Permintaan sif disetujui",
			"Permintaan Anda untuk sif lain pada {{need .Date}} disetujui.",
			"Buka aplikasi untuk melihat sif Anda."},
	},
	SwapRefused: {
		{"Your shift request was refused",
			"Your request for another shift on {{need .Date}} was refused.",
			"Your shift stays as it was."},
		{"Permintaan sif ditolak",
			"Permintaan Anda untuk sif lain pada {{need .Date}} ditolak.",
			"Sif Anda tetap seperti semula."},
	},
	CorrectionAsked: {
		{"A correction is asked for",
			"{{need .Name}} asks for a correction of the attendance of {{need .Date}} and waits for your answer.",
			"Open the app to answer."},
		{"Permintaan koreksi absen",
			"{{need .Name}} meminta koreksi absen {{need .Date}} dan menunggu jawaban Anda.",
			"Buka aplikasi untuk menjawab."},
	},
	CorrectionApproved: {
		{"Your correction was approved",
			"Your correction of the attendance of {{need .Date}} was approved{{with .Note}} (\"{{.}}\"){{end}}.",
			"Open the app to see your attendance."},
		{"Koreksi absen disetujui",
			"Koreksi absen Anda untuk {{need .Date}} disetujui{{with .Note}} (\"{{.}}\"){{end}}.",
			"Buka aplikasi untuk melihat absen Anda."},
	},
	CorrectionRefused: {
		{"Your correction was refused",
			"Your correction of the attendance of {{need .Date}} was refused{{with .Note}} (\"{{.}}\"){{end}}.",
			"Your attendance stays as it was."},
		{"Koreksi absen ditolak",
			"Koreksi absen Anda untuk {{need .Date}} ditolak{{with .Note}} (\"{{.}}\"){{end}}.",
			"Absen Anda tetap seperti semula."},
	},
	LeaveAsked: {
		{"Leave is asked for",
			"{{need .Name}} asks for leave from {{need .Date}} and waits for your answer.",
			"Open the app to answer."},
		{"Permintaan cuti",
			"{{need .Name}} meminta cuti mulai {{need .Date}} dan menunggu jawaban Anda.",
			"Buka aplikasi untuk menjawab."},
	},
	LeaveApproved: {
		{"Your leave was approved",
			"Your leave from {{need .Date}} was approved{{with .Note}} (\"{{.}}\"){{end}}.",
			"Open the app to see its dates."},
		{"Cuti disetujui",
			"Cuti Anda mulai {{need .Date}} disetujui{{with .Note}} (\"{{.}}\"){{end}}.",
			"Buka aplikasi untuk melihat tanggalnya."},
	},
	LeaveRefused: {
		{"Your leave was refused",
			"Your leave from {{need .Date}} was refused{{with .Note}} (\"{{.}}\"){{end}}.",
			"Ask your manager if you need to know more."},
		{"Cuti ditolak",
			"Cuti Anda mulai {{need .Date}} ditolak{{with .Note}} (\"{{.}}\"){{end}}.",
			"Tanyakan kepada atasan bila perlu penjelasan."},
	},
	LeaveRecounted: {
		{"Your leave takes other days",
			"Your leave from {{need .Date}} takes {{if eq (need .Days) (need .DaysBefore)}}" +
				"other dates, {{.Days}} days as before{{else}}{{.Days}} days instead of {{.DaysBefore}}{{end}}: " +
				"holidays or shifts changed.{{with .Short}} Your allowance of {{.}} does not suffice any more.{{end}}",
			"Open the app to see its dates, or to cancel it."},
		{"Hari cuti Anda berubah",
			"Cuti Anda mulai {{need .Date}} kini mengambil {{if eq (need .Days) (need .DaysBefore)}}" +
				"tanggal lain, tetap {{.Days}} hari{{else}}{{.Days}} hari, sebelumnya {{.DaysBefore}}{{end}}: " +
				"hari libur atau jadwal berubah.{{with .Short}} Jatah cuti Anda tahun {{.}} tidak mencukupi lagi.{{end}}",
			"Buka aplikasi untuk melihat tanggalnya atau membatalkannya."},
	},
	TeamLeaveRecounted: {
		{"Leave of your team takes other days",
			"The leave of {{need .Name}} from {{need .Date}} takes {{if eq (need .Days) (need .DaysBefore)}}" +
				"other dates, {{.Days}} days as before{{else}}{{.Days}} days instead of {{.DaysBefore}}{{end}}: " +
				"holidays or shifts changed.{{with .Short}} The allowance of {{.}} does not suffice any more.{{end}}",
			"The leave stays as it was decided. Open the app to see its dates, or to cancel it."},
		{"Hari cuti tim Anda berubah",
			"Cuti {{need .Name}} mulai {{need .Date}} kini mengambil {{if eq (need .Days) (need .DaysBefore)}}" +
				"tanggal lain, tetap {{.Days}} hari{{else}}{{.Days}} hari, sebelumnya {{.DaysBefore}}{{end}}: " +
				"hari libur atau jadwal berubah.{{with .Short}} Jatah cuti tahun {{.}} tidak mencukupi lagi.{{end}}",
			"Keputusan cuti tetap berlaku. Buka aplikasi untuk melihat tanggalnya atau membatalkannya."},
	},
	WorksOnLeave: {
		{"Somebody works on leave",
			"{{need .Name}} clocked in on {{need .Date}}, a day of approved leave.",
			"The clock-in waits for your decision."},
		{"Absen pada hari cuti",
			"{{need .Name}} absen masuk pada {{need .Date}}, hari cuti yang sudah disetujui.",
			"Absen itu menunggu keputusan Anda."},
	},
	InRejected: {
		{"Your clock-in was rejected",
			"Your clock-in on {{at .Event}} was rejected{{with .Note}} (\"{{.}}\"){{end}}.",
			"If it was right, request a correction or ask your manager."},
		{"Absen masuk Anda ditolak",
			"Absen masuk Anda pada {{at .Event}} ditolak{{with .Note}} (\"{{.}}\"){{end}}.",
			"Jika sudah benar, ajukan koreksi atau tanyakan kepada atasan Anda."},
	},
	OutRejected: {
		{"Your clock-out was rejected",
			"Your clock-out on {{at .Event}} was rejected{{with .Note}} (\"{{.}}\"){{end}}.",
			"If it was right, request a correction or ask your manager."},
		{"Absen pulang Anda ditolak",
			"Absen pulang Anda pada {{at .Event}} ditolak{{with .Note}} (\"{{.}}\"){{end}}.",
			"Jika sudah benar, ajukan koreksi atau tanyakan kepada atasan Anda."},
	},
	StillClockedIn: {
		{"You are still clocked in",
			"You are clocked in since {{at .Event}}.",
			"Clock out in the app when your work ends."},
		{"Anda masih absen masuk",
			"Anda absen masuk sejak {{at .Event}}.",
			"Absen pulang lewat aplikasi saat selesai bekerja."},
	},
	TimerLong: {
		{"Your timer still runs",
			"Your timer has been running since {{at .Event}}.",
			"Stop it in the app, or set its end if you forgot it."},
		{"Pengukur waktu masih berjalan",
			"Pengukur waktu Anda berjalan sejak {{at .Event}}.",
			"Hentikan di aplikasi, atau isi waktu selesainya bila terlupa."},
	},
	WeekAsked: {
		{"A week of time was submitted",
			"{{need .Name}} submitted the week from {{need .Date}} and waits for your answer.",
			"Open the app to answer."},
		{"Catatan waktu mingguan diajukan",
			"{{need .Name}} mengajukan minggu mulai {{need .Date}} dan menunggu jawaban Anda.",
			"Buka aplikasi untuk menjawab."},
	},
	WeekApproved: {
		{"Your week was approved",
			"Your week from {{need .Date}} was approved{{with .Note}} (\"{{.}}\"){{end}}.",
			"Its entries are locked."},
		{"Minggu Anda disetujui",
			"Minggu Anda mulai {{need .Date}} disetujui{{with .Note}} (\"{{.}}\"){{end}}.",
			"Catatan waktunya terkunci."},
	},
	WeekRejected: {
		{"Your week was rejected",
			"Your week from {{need .Date}} was rejected{{with .Note}} (\"{{.}}\"){{end}}.",
			"Correct it and submit it again."},
		{"Minggu Anda ditolak",
			"Minggu Anda mulai {{need .Date}} ditolak{{with .Note}} (\"{{.}}\"){{end}}.",
			"Perbaiki lalu ajukan lagi."},
	},
	AttendanceClosed: {
		{"Your attendance was closed",
			"You did not clock out. Your attendance was closed as of {{at .Event}}.",
			"Confirm it in the app or request a correction."},
		{"Absen Anda ditutup",
			"Anda tidak absen pulang. Absen Anda ditutup per {{at .Event}}.",
			"Konfirmasi di aplikasi atau ajukan koreksi."},
	},
	TaskMention: {
		{"You were mentioned",
			"{{need .Name}} mentions you in a comment on the task \"{{need .Title}}\".",
			"Open Workforce to read it."},
		{"Anda disebut",
			"{{need .Name}} menyebut Anda dalam komentar tugas \"{{need .Title}}\".",
			"Buka Workforce untuk membacanya."},
	},
	ReportReady: {
		{"Your report is ready",
			"Your report \"{{need .Title}}\" is ready: {{need .Link}}",
			"The link needs you to be signed in. The file is kept for seven days."},
		{"Laporan Anda siap",
			"Laporan Anda \"{{need .Title}}\" sudah siap: {{need .Link}}",
			"Tautan ini meminta Anda masuk. Berkas disimpan tujuh hari."},
	},
	TicketAssigned: {
		{"A ticket was assigned to you",
			"{{need .Name}} assigned the ticket \"{{need .Title}}\" to you.",
			"Open Workforce to answer it."},
		{"Tiket untuk Anda",
			"{{need .Name}} menugaskan tiket \"{{need .Title}}\" kepada Anda.",
			"Buka Workforce untuk menjawabnya."},
	},
	TicketComment: {
		{"A comment on a ticket",
			"{{need .Name}} commented on the ticket \"{{need .Title}}\".",
			"Open Workforce to read it."},
		{"Komentar tiket",
			"{{need .Name}} mengomentari tiket \"{{need .Title}}\".",
			"Buka Workforce untuk membacanya."},
	},
	TicketNote: {
		{"An internal note on a ticket",
			"{{need .Name}} left an internal note on the ticket \"{{need .Title}}\".",
			"Open Workforce to read it."},
		{"Catatan internal tiket",
			"{{need .Name}} menulis catatan internal pada tiket \"{{need .Title}}\".",
			"Buka Workforce untuk membacanya."},
	},
	TicketResolved: {
		{"A ticket was resolved",
			"{{need .Name}} resolved the ticket \"{{need .Title}}\".",
			"If the problem is still there, open the ticket again."},
		{"Tiket selesai",
			"{{need .Name}} menyelesaikan tiket \"{{need .Title}}\".",
			"Jika masalah masih ada, buka kembali tiketnya."},
	},
	TicketClosed: {
		{"A ticket was closed",
			"{{need .Name}} closed the ticket \"{{need .Title}}\".",
			"Open Workforce to read it."},
		{"Tiket ditutup",
			"{{need .Name}} menutup tiket \"{{need .Title}}\".",
			"Buka Workforce untuk membacanya."},
	},
	TicketReopened: {
		{"A ticket was opened again",
			"{{need .Name}} opened the ticket \"{{need .Title}}\" again.",
			"Open Workforce to read it."},
		{"Tiket dibuka kembali",
			"{{need .Name}} membuka kembali tiket \"{{need .Title}}\".",
			"Buka Workforce untuk membacanya."},
	},
	TicketResponseSoon: {
		{"A ticket must be answered soon",
			"The ticket \"{{need .Title}}\" must be answered by {{at .Event}}.",
			"Open Workforce to answer it."},
		{"Tiket harus segera dijawab",
			"Tiket \"{{need .Title}}\" harus dijawab paling lambat {{at .Event}}.",
			"Buka Workforce untuk menjawabnya."},
	},
	TicketResponseOver: {
		{"A ticket was not answered in time",
			"The ticket \"{{need .Title}}\" should have been answered by {{at .Event}}.",
			"Open Workforce to answer it."},
		{"Tiket terlambat dijawab",
			"Tiket \"{{need .Title}}\" seharusnya dijawab paling lambat {{at .Event}}.",
			"Buka Workforce untuk menjawabnya."},
	},
	TicketResolutionSoon: {
		{"A ticket must be resolved soon",
			"The ticket \"{{need .Title}}\" must be resolved by {{at .Event}}.",
			"Open Workforce to work on it."},
		{"Tiket harus segera diselesaikan",
			"Tiket \"{{need .Title}}\" harus selesai paling lambat {{at .Event}}.",
			"Buka Workforce untuk mengerjakannya."},
	},
	TicketResolutionOver: {
		{"A ticket was not resolved in time",
			"The ticket \"{{need .Title}}\" should have been resolved by {{at .Event}}.",
			"Open Workforce to work on it."},
		{"Tiket terlambat diselesaikan",
			"Tiket \"{{need .Title}}\" seharusnya selesai paling lambat {{at .Event}}.",
			"Buka Workforce untuk mengerjakannya."},
	},
}

// page is the HTML of every mail: language, subject, text, note. It reads well
// enlarged, in the dark and aloud, and loads nothing.
const page = `<!doctype html>
<html lang="%[1]s">
<head>
<meta charset="utf-8"/>
<meta name="viewport" content="width=device-width"/>
<meta name="color-scheme" content="light dark"/>
<title>%[2]s</title>
</head>
<body style="font-family:sans-serif;line-height:1.5;max-width:36em;margin:0 auto;padding:1em">
<h1 style="font-size:1.25em">%[2]s</h1>
<p>%[3]s</p>
<p>%[4]s</p>
</body>
</html>
`
