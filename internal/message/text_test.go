package message

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"
	"time"

	"workforce/internal/errs"
)

var (
	kinds = []Kind{
		LoginCode, ResetCode, FaceCode, PasswordChanged, NewDevice, DeviceRequested, DeviceApproved, DeviceRefused, FaceRegistered, FaceReset,
		FaceResetRequested, FaceResetRejected, Invited, ShiftsChanged, SwapAsked, SwapApproved, SwapRefused, InRejected, OutRejected,
		CorrectionAsked, CorrectionApproved, CorrectionRefused, LeaveAsked, LeaveApproved, LeaveRefused,
		LeaveRecounted, TeamLeaveRecounted, WorksOnLeave,
		StillClockedIn, AttendanceClosed, TimerLong, WeekAsked, WeekApproved, WeekRejected, TaskMention, ReportReady,
		TicketAssigned, TicketComment, TicketNote, TicketResolved, TicketClosed, TicketReopened,
		TicketResponseSoon, TicketResponseOver, TicketResolutionSoon, TicketResolutionOver,
	}
	full = Facts{
		Code: "012345", Minutes: 5, At: time.Date(2026, 3, 10, 19, 5, 0, 0, time.FixedZone("WIB", 7*3600)),
		Event: time.Date(2026, 3, 10, 8, 1, 0, 0, time.FixedZone("WIB", 7*3600)), Note: "Not at the site",
		Device: "Pixel 9", Name: "Budi", Company: "Nusantara Demo", Username: "budi@demo.test", Date: "2026-03-12", Title: "Rapat",
		Link: "https://wf.test/task/report/7/download", Days: "3", DaysBefore: "4", Short: "2026",
	}
)

func TestRender(t *testing.T) {
	told, own, here := full, full, full
	told.Device, own.Name, here.Link = "", "", "https://wf.test/app/"
	told.Link = ""
	moved := Facts{Name: "Budi", Date: "2026-12-28", Days: "3", DaysBefore: "3"}
	tests := []struct {
		kind           Kind
		lang           string
		facts          Facts
		subject, plain string
	}{
		{LoginCode, "en", full, "Your sign-in code", "012345 is your Workforce sign-in code, valid for 5 minutes. Give it to nobody."},
		{LoginCode, "en", Facts{Code: "1", Minutes: 1}, "Your sign-in code", "1 is your Workforce sign-in code, valid for 1 minute. Give it to nobody."},
		{LoginCode, "id", full, "Kode masuk Anda", "012345 adalah kode masuk Workforce Anda, berlaku 5 menit. Jangan berikan kepada siapa pun."},
		{FaceCode, "en", full, "Your code to register your face anew", "012345 is your code to register your face for Workforce anew, valid for 5 minutes. Give it to nobody. If you did not ask for it, tell your manager."},
		{FaceCode, "id", full, "Kode untuk mendaftarkan ulang wajah", "012345 adalah kode daftar ulang wajah Workforce Anda, berlaku 5 menit. Jangan berikan kepada siapa pun. Bukan permintaan Anda? Beri tahu atasan."},
		{ResetCode, "en", full, "Your code for a new password", "012345 is your code for a new Workforce password, valid for 5 minutes. Give it to nobody. If you did not ask for it, ignore this message."},
		{ResetCode, "id", full, "Kode untuk kata sandi baru", "012345 adalah kode untuk kata sandi baru Workforce Anda, berlaku 5 menit. Jangan berikan kepada siapa pun. Abaikan jika bukan Anda yang meminta."},
		{PasswordChanged, "en", full, "Your password was changed", "Your Workforce password was changed on 2026-03-10 19:05 WIB. If it was not you, set a new one with Forgot password at once and tell your administrator."},
		{PasswordChanged, "id", full, "Kata sandi Anda diubah", "Kata sandi Workforce Anda diubah pada 2026-03-10 19:05 WIB. Jika bukan Anda, segera buat yang baru lewat Lupa kata sandi dan beri tahu administrator."},
		{NewDevice, "en", full, "A new device signed in", "A new device (Pixel 9) signed in to your Workforce account on 2026-03-10 19:05 WIB. If it was not you, change your password at once and tell your administrator."},
		{NewDevice, "id", told, "Perangkat baru masuk", "Perangkat baru masuk ke akun Workforce Anda pada 2026-03-10 19:05 WIB. Jika bukan Anda, segera ubah kata sandi dan beri tahu administrator."},
		{DeviceRequested, "en", full, "A device waits for your approval", "Budi signed in on another device (Pixel 9) on 2026-03-10 19:05 WIB and may use it once you approve it. Ask whether it was them. The request ends after 3 days."},
		{DeviceRequested, "id", told, "Perangkat menunggu persetujuan Anda", "Budi masuk dengan perangkat lain pada 2026-03-10 19:05 WIB dan dapat memakainya setelah Anda setujui. Tanyakan apakah memang dia. Permintaan berakhir setelah 3 hari."},
		{DeviceApproved, "en", told, "Your device was approved", "Your device was approved on 2026-03-10 19:05 WIB. You can sign in on it. If it is not yours, change your password at once and tell your administrator."},
		{DeviceApproved, "id", full, "Perangkat Anda disetujui", "Perangkat Anda (Pixel 9) disetujui pada 2026-03-10 19:05 WIB. Anda dapat masuk dengannya. Jika bukan milik Anda, segera ubah kata sandi dan beri tahu administrator."},
		{DeviceRefused, "en", full, "Your device was refused", "Your device (Pixel 9) was refused on 2026-03-10 19:05 WIB. You cannot use it for Workforce. If you did not sign in on it, change your password at once."},
		{DeviceRefused, "id", told, "Perangkat Anda ditolak", "Perangkat Anda ditolak pada 2026-03-10 19:05 WIB. Anda tidak dapat memakainya untuk Workforce. Jika bukan Anda yang masuk, segera ubah kata sandi."},
		{FaceRegistered, "en", own, "A face was registered", "Your face was registered with Workforce on 2026-03-10 19:05 WIB. If this was not expected, tell your administrator."},
		{FaceRegistered, "id", told, "Wajah didaftarkan", "Wajah Budi didaftarkan di Workforce pada 2026-03-10 19:05 WIB. Jika tidak semestinya, beri tahu administrator."},
		{InRejected, "en", full, "Your clock-in was rejected", "Your clock-in on 2026-03-10 08:01 WIB was rejected (\"Not at the site\"). If it was right, request a correction or ask your manager."},
		{OutRejected, "id", told, "Absen pulang Anda ditolak", "Absen pulang Anda pada 2026-03-10 08:01 WIB ditolak (\"Not at the site\"). Jika sudah benar, ajukan koreksi atau tanyakan kepada atasan Anda."},
		{OutRejected, "en", Facts{Event: full.Event}, "Your clock-out was rejected", "Your clock-out on 2026-03-10 08:01 WIB was rejected. If it was right, request a correction or ask your manager."},
		{TaskMention, "en", full, "You were mentioned", "Budi mentions you in a comment on the task \"Rapat\". Open Workforce to read it."},
		{TaskMention, "id", full, "Anda disebut", "Budi menyebut Anda dalam komentar tugas \"Rapat\". Buka Workforce untuk membacanya."},
		{ReportReady, "en", full, "Your report is ready", "Your report \"Rapat\" is ready: https://wf.test/task/report/7/download The link needs you to be signed in. The file is kept for seven days."},
		{ReportReady, "id", full, "Laporan Anda siap", "Laporan Anda \"Rapat\" sudah siap: https://wf.test/task/report/7/download Tautan ini meminta Anda masuk. Berkas disimpan tujuh hari."},
		{TicketAssigned, "en", full, "A ticket was assigned to you", "Budi assigned the ticket \"Rapat\" to you. Open Workforce to answer it."},
		{TicketResolved, "id", full, "Tiket selesai", "Budi menyelesaikan tiket \"Rapat\". Jika masalah masih ada, buka kembali tiketnya."},
		{TicketResponseSoon, "en", full, "A ticket must be answered soon", "The ticket \"Rapat\" must be answered by 2026-03-10 08:01 WIB. Open Workforce to answer it."},
		{TicketResolutionOver, "id", full, "Tiket terlambat diselesaikan", "Tiket \"Rapat\" seharusnya selesai paling lambat 2026-03-10 08:01 WIB. Buka Workforce untuk mengerjakannya."},
		{StillClockedIn, "en", Facts{Event: full.Event}, "You are still clocked in", "You are clocked in since 2026-03-10 08:01 WIB. Clock out in the app when your work ends."},
		{AttendanceClosed, "id", Facts{Event: full.Event}, "Absen Anda ditutup", "Anda tidak absen pulang. Absen Anda ditutup per 2026-03-10 08:01 WIB. Konfirmasi di aplikasi atau ajukan koreksi."},
		{FaceReset, "en", full, "Your face is to be registered anew", "Your registered face was taken out of use on 2026-03-10 19:05 WIB. Your next clock-in with a face registers it anew. If this was not expected, tell your administrator."},
		{FaceResetRequested, "id", told, "Permintaan daftar ulang wajah", "Budi meminta pendaftaran ulang wajah di Workforce. Setujui hanya setelah berbicara dengan yang bersangkutan."},
		{FaceResetRejected, "en", full, "Your registered face stays", "Your request to register your face anew was not approved. Ask your manager for the reason."},
		{LeaveRecounted, "en", Facts{Date: "2026-12-28", Days: "3", DaysBefore: "4"}, "Your leave takes other days",
			"Your leave from 2026-12-28 takes 3 days instead of 4: holidays or shifts changed. " +
				"Open the app to see its dates, or to cancel it."},
		{LeaveRecounted, "en", moved, "Your leave takes other days",
			"Your leave from 2026-12-28 takes other dates, 3 days as before: holidays or shifts changed. " +
				"Open the app to see its dates, or to cancel it."},
		{LeaveRecounted, "id", moved, "Hari cuti Anda berubah",
			"Cuti Anda mulai 2026-12-28 kini mengambil tanggal lain, tetap 3 hari: hari libur atau jadwal berubah. " +
				"Buka aplikasi untuk melihat tanggalnya atau membatalkannya."},
		{TeamLeaveRecounted, "en", moved, "Leave of your team takes other days",
			"The leave of Budi from 2026-12-28 takes other dates, 3 days as before: holidays or shifts changed. " +
				"The leave stays as it was decided. Open the app to see its dates, or to cancel it."},
		{TeamLeaveRecounted, "id", moved, "Hari cuti tim Anda berubah",
			"Cuti Budi mulai 2026-12-28 kini mengambil tanggal lain, tetap 3 hari: hari libur atau jadwal berubah. " +
				"Keputusan cuti tetap berlaku. Buka aplikasi untuk melihat tanggalnya atau membatalkannya."},
		{TeamLeaveRecounted, "id", full, "Hari cuti tim Anda berubah",
			"Cuti Budi mulai 2026-03-12 kini mengambil 3 hari, sebelumnya 4: hari libur atau jadwal berubah. " +
				"Jatah cuti tahun 2026 tidak mencukupi lagi. " +
				"Keputusan cuti tetap berlaku. Buka aplikasi untuk melihat tanggalnya atau membatalkannya."},
		{Invited, "en", here, "You are invited to Workforce", "Nusantara Demo has invited you to Workforce. " +
			"Your user name is budi@demo.test. " +
			"Open https://wf.test/app/ or install the app, and choose Forgot password to set your password."},
		{Invited, "id", here, "Anda diundang ke Workforce", "Nusantara Demo mengundang Anda ke Workforce. " +
			"Nama pengguna Anda budi@demo.test. " +
			"Buka https://wf.test/app/ atau pasang aplikasi, lalu pilih Lupa kata sandi untuk membuat kata sandi."},
		{Invited, "en", told, "You are invited to Workforce", "Nusantara Demo has invited you to Workforce. Your user name is budi@demo.test. Install the app and choose Forgot password to set your password."},
		{Invited, "id", told, "Anda diundang ke Workforce", "Nusantara Demo mengundang Anda ke Workforce. Nama pengguna Anda budi@demo.test. Pasang aplikasi dan pilih Lupa kata sandi untuk membuat kata sandi."},
	}
	for _, tt := range tests {
		got, err := Render(tt.kind, tt.lang, tt.facts)
		if err != nil || got.Subject != tt.subject || got.Plain != tt.plain {
			t.Errorf("%s in %s: %q, %q, error %v\nwant %q, %q", tt.kind, tt.lang, got.Subject, got.Plain, err, tt.subject, tt.plain)
		}
	}
}

var (
	tags    = regexp.MustCompile(`<[^>]*>`)
	remote  = regexp.MustCompile(`(?i)https?:|src=|href=|url\(|@import|<(script|img|link|iframe|form)`)
	textual = regexp.MustCompile(`^[ -_a-z]*$`) // of what is common to ASCII and the alphabet of text messages, all that is used
)

// TestEveryKindInEveryLanguage also checks what every mail has to be.
func TestEveryKindInEveryLanguage(t *testing.T) {
	if len(wordings) != len(kinds) {
		t.Errorf("%d kinds are worded, %d are known", len(wordings), len(kinds))
	}
	for _, kind := range kinds {
		seen := map[string]bool{}
		for _, lang := range errs.Languages {
			facts := full
			if kind == FaceResetRequested { // which is told to somebody else
				facts.Name = "Budi"
			}
			got, err := Render(kind, lang.String(), facts)
			if err != nil {
				t.Errorf("%s in %s: %v", kind, lang, err)
				continue
			}
			if got.Subject == "" || seen[got.Subject] || seen[got.Plain] {
				t.Errorf("%s in %s: empty or not translated: %q, %q", kind, lang, got.Subject, got.Plain)
			}
			seen[got.Subject], seen[got.Plain] = true, true
			if !textual.MatchString(got.Plain) || strings.ContainsAny(got.Plain, "`[]\\^") {
				t.Errorf("%s in %s: a character that text messages do not carry: %q", kind, lang, got.Plain)
			}
			if strings.HasSuffix(string(kind), "_code") && (!strings.HasPrefix(got.Plain, full.Code+" ") || len(got.Plain) > 160) {
				t.Errorf("%s in %s: must begin with the code and fit 160 characters: %q", kind, lang, got.Plain)
			}
			if strings.Contains(got.HTML, full.Link) != (kind == ReportReady || kind == Invited) {
				t.Errorf("%s in %s: a link that is not asked for, or none", kind, lang)
			}
			if found := remote.FindString(strings.ReplaceAll(got.HTML, full.Link, "")); found != "" {
				t.Errorf("%s in %s: the mail holds %q", kind, lang, found)
			}
			if !strings.Contains(got.HTML, `<html lang="`+lang.String()+`">`) || !strings.Contains(got.HTML, "<title>"+got.Subject+"</title>") {
				t.Errorf("%s in %s: language or title is missing:\n%s", kind, lang, got.HTML)
			}
			_, body, _ := strings.Cut(got.HTML, "</h1>")
			if said := strings.Join(strings.Fields(tags.ReplaceAllString(body, "")), " "); said != got.Plain {
				t.Errorf("%s in %s: the mail says %q, the text %q", kind, lang, said, got.Plain)
			}
			if err := wellFormed(got.HTML); err != nil {
				t.Errorf("%s in %s: %v\n%s", kind, lang, err, got.HTML)
			}
		}
	}
}

// wellFormed checks that every element is closed, in order.
func wellFormed(html string) error {
	d := xml.NewDecoder(strings.NewReader(html))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func TestRenderChoosesTheLanguage(t *testing.T) {
	for lang, want := range map[string]string{
		"id": "Kode masuk Anda", "id-ID": "Kode masuk Anda", "ID": "Kode masuk Anda",
		"en": "Your sign-in code", "en-GB": "Your sign-in code",
		"": "Your sign-in code", "fr": "Your sign-in code", "not a language": "Your sign-in code",
	} {
		if got, err := Render(LoginCode, lang, full); err != nil || got.Subject != want {
			t.Errorf("%q: %q, error %v, want %q", lang, got.Subject, err, want)
		}
	}
}

func TestRenderNeedsItsFacts(t *testing.T) {
	tests := []struct {
		name   string
		kind   Kind
		change func(*Facts)
	}{
		{"no such kind", "postcard", func(*Facts) {}},
		{"zero kind", "", func(*Facts) {}},
		{"no code", LoginCode, func(f *Facts) { f.Code = "" }},
		{"nothing visible in the code", LoginCode, func(f *Facts) { f.Code = " \u200b" }},
		{"no minutes", LoginCode, func(f *Facts) { f.Minutes = 0 }},
		{"no code", ResetCode, func(f *Facts) { f.Code = "" }},
		{"no minutes", ResetCode, func(f *Facts) { f.Minutes = 0 }},
		{"no time", PasswordChanged, func(f *Facts) { f.At = time.Time{} }},
		{"no time", NewDevice, func(f *Facts) { f.At = time.Time{} }},
		{"no time", FaceRegistered, func(f *Facts) { f.At = time.Time{} }},
		{"no company", Invited, func(f *Facts) { f.Company = "" }},
		{"no user name", Invited, func(f *Facts) { f.Username = "" }},
	}
	for _, tt := range tests {
		for _, lang := range errs.Languages {
			f := full
			tt.change(&f)
			if got, err := Render(tt.kind, lang.String(), f); err == nil || got != (Text{}) {
				t.Errorf("%s, %s in %s: %+v, error %v", tt.name, tt.kind, lang, got, err)
			}
		}
	}
}

func TestFactsStayText(t *testing.T) {
	f := full
	f.Device = "<img src=x>\r\n\r\nBcc:\u202e\x00 eve & " + strings.Repeat("é", 100)
	got, err := Render(NewDevice, "en", f)
	if err != nil {
		t.Fatal(err)
	}
	shown := "<img src=x> Bcc: eve & " + strings.Repeat("é", 37)
	if want := "A new device (" + shown + ") signed in"; !strings.HasPrefix(got.Plain, want) {
		t.Errorf("plain text %q, want %q", got.Plain, want)
	}
	if strings.Contains(got.HTML, "<img") || !strings.Contains(got.HTML, "(&lt;img src=x&gt; Bcc: eve &amp; é") {
		t.Errorf("HTML holds the name unescaped:\n%s", got.HTML)
	}
	f.Username = "<b>budi</b>"
	if got, err = Render(Invited, "en", f); err != nil || !strings.Contains(got.HTML, "&lt;b&gt;budi&lt;/b&gt;</strong>") {
		t.Errorf("error %v, HTML\n%s", err, got.HTML)
	}
}
