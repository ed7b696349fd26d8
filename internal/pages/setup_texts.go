package pages

// A setupText holds the words of the page of the first start in one language.
type setupText struct {
	Title, Lead                                                          string
	Company, Timezone, Locale, Name, Email, Phone                        string
	Password, TimezoneHint, PhoneHint, PasswordHint                      string
	Submit, Faulty, Gone, Over, Done, CodeLead, CodeHint, Once, Continue string
}

var texts = map[string]setupText{
	"en": {
		Title: "First start", Lead: "Create the first company and its owner. This link works once.",
		Company: "Company", Timezone: "Time zone", TimezoneHint: "As in the IANA database, such as Asia/Jakarta.",
		Locale: "Language", Name: "Name of the owner", Email: "E-mail address",
		Phone: "Phone number (optional)", PhoneHint: "With country code, such as +62811123789.",
		Password: "Password", PasswordHint: "8 to 128 characters.",
		Submit: "Create company", Faulty: "Nothing was created yet. Please correct the marked fields.",
		Gone:     "This link has expired or never existed. There is no company yet: a restart of the server prints a new link.",
		Over:     "This installation already has a company, so no link creates one here any more. Sign in with the app. Another company or owner is created with the commands workforce company create and workforce user create.",
		Done:     "The company was created",
		CodeLead: "Sign in with e-mail address and password. When the app asks for a code, enter this one:",
		CodeHint: "It is valid once, until",
		Once:     "It is not shown again.",
		Continue: "First steps, in a new window",
	},
	"id": {
		Title: "Mulai pertama", Lead: "Buat perusahaan pertama dan pemiliknya. Tautan ini berlaku satu kali.",
		Company: "Perusahaan", Timezone: "Zona waktu", TimezoneHint: "Seperti di basis data IANA, misalnya Asia/Jakarta.",
		Locale: "Bahasa", Name: "Nama pemilik", Email: "Alamat e-mail",
		Phone: "Nomor telepon (opsional)", PhoneHint: "Dengan kode negara, misalnya +62811123789.",
		Password: "Kata sandi", PasswordHint: "8 sampai 128 karakter.",
		Submit: "Buat perusahaan", Faulty: "Belum ada yang dibuat. Perbaiki isian yang ditandai.",
		Gone:     "Tautan ini sudah kedaluwarsa atau tidak pernah ada. Belum ada perusahaan: server mencetak tautan baru saat dijalankan ulang.",
		Over:     "Instalasi ini sudah memiliki perusahaan, sehingga tidak ada lagi tautan yang membuatnya di sini. Masuklah dengan aplikasi. Perusahaan atau pemilik lain dibuat dengan perintah workforce company create dan workforce user create.",
		Done:     "Perusahaan sudah dibuat",
		CodeLead: "Masuklah dengan alamat e-mail dan kata sandi. Saat aplikasi meminta kode, masukkan kode ini:",
		CodeHint: "Berlaku satu kali, sampai",
		Once:     "Kode ini tidak ditampilkan lagi.",
		Continue: "Langkah pertama, di jendela baru",
	},
}
