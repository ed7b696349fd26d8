package errs

import (
	"regexp"
	"strings"
	"testing"
	"time"
)

var conflictTime = Time{Time: time.Date(2026, 3, 10, 9, 0, 0, 0, time.UTC)}

// conflictCases are what the reasons of CONFLICT say, with and without facts.
var conflictCases = []struct {
	reason ConflictReason
	meta   Meta
	en, id string
}{
	{AllowanceExceeded, Meta{"year": 2026, "remainingDays": 1.5},
		"Of the allowance for 2026, 1.5 days are left.",
		"Sisa jatah untuk 2026 adalah 1.5 hari."},
	{AllowanceExceeded, Meta{"year": 2026, "remainingDays": 0.0},
		"Of the allowance for 2026, 0 days are left.",
		"Sisa jatah untuk 2026 adalah 0 hari."},
	{AlreadyRequested, nil,
		"This was requested already.",
		"Ini sudah diajukan."},
	{AlreadyRequested, Meta{"state": "submitted"},
		"This was requested already: it is submitted.",
		"Ini sudah diajukan: submitted."},
	{Archived, nil,
		"This is archived. Choose another one.",
		"Data ini sudah diarsipkan. Pilih yang lain."},
	{Archived, Meta{"shift": "Pagi"},
		"Pagi is archived. Choose another one.",
		"Pagi sudah diarsipkan. Pilih yang lain."},
	{ChangedMeanwhile, Meta{"date": "2026-03-10"},
		"This has changed meanwhile. Read it again before you retry.",
		"Data ini sudah berubah. Muat ulang sebelum mencoba lagi."},
	{Corrected, nil,
		"Corrections of this time entry need its time. Correct it again instead.",
		"Koreksi entri waktu ini memerlukan waktunya. Buatlah koreksi lain."},
	{Duplicate, nil,
		"The same is already stored.",
		"Data yang sama sudah ada."},
	{Duplicate, Meta{"date": "2026-03-10"},
		"The same is already stored for 2026-03-10.",
		"Data yang sama sudah ada untuk 2026-03-10."},
	{Ended, Meta{"state": "done"},
		"This has ended already, so it cannot be cancelled.",
		"Ini sudah selesai sehingga tidak dapat dibatalkan."},
	{HasCode, nil,
		"This message has a code, which is never sent again. The person can ask for another one.",
		"Pesan ini berisi kode yang tidak pernah dikirim ulang. Penerima dapat meminta kode baru."},
	{HasPassword, nil,
		"The person has a password already, so they need no invitation.",
		"Orang ini sudah memiliki kata sandi sehingga tidak memerlukan undangan."},
	{HasTasks, Meta{"tasks": 0, "entries": 2},
		"This is still used. Tasks: 0, time entries: 2.",
		"Data ini masih dipakai. Tugas: 0, entri waktu: 2."},
	{HasTasks, Meta{"tasks": 1, "entries": 2, "children": 3},
		"This is still used. Tasks: 1, time entries: 2, categories below it: 3.",
		"Data ini masih dipakai. Tugas: 1, entri waktu: 2, kategori di bawahnya: 3."},
	{InUse, Meta{"rotations": 1},
		"This is still used, so it cannot be deleted.",
		"Data ini masih dipakai sehingga tidak dapat dihapus."},
	{InUse, Meta{"users": 2},
		"This is still used, so it cannot be deleted. People who have it: 2.",
		"Data ini masih dipakai sehingga tidak dapat dihapus. Masih ada 2 orang."},
	{LastOwner, Meta{"owners": 1},
		"The company would have no owner left. Make somebody else an owner first.",
		"Perusahaan tidak akan memiliki pemilik lagi. Jadikan orang lain pemilik terlebih dahulu."},
	{LimitReached, Meta{"max": 9},
		"There are 9 of these already, which is the limit. Delete one first.",
		"Sudah ada 9, yaitu batasnya. Hapus salah satu terlebih dahulu."},
	{LockedPeriod, Meta{"lockedFrom": "2026-03-01", "lockedUntil": "2026-03-09"},
		"The period from 2026-03-01 to 2026-03-09 is locked.",
		"Periode 2026-03-01 sampai 2026-03-09 terkunci."},
	{NoDays, nil,
		"Leave applies to none of these dates: they are days off, holidays or days of other leave.",
		"Cuti tidak berlaku pada tanggal-tanggal ini karena hari libur atau sudah ada cuti lain."},
	{NoFace, nil,
		"No face is registered, so there is none to reset.",
		"Belum ada wajah terdaftar yang dapat diatur ulang."},
	{NotEmpty, Meta{"users": 0, "children": 2},
		"This is not empty. People who have it: 0. Parts below it: 2.",
		"Masih ada 0 orang dan 2 bagian di bawahnya."},
	{NotEmpty, Meta{"users": 1, "children": 0, "addresses": 3},
		"This is not empty. People who have it: 1. Parts below it: 0. Its work sites: 3.",
		"Masih ada 1 orang dan 0 bagian di bawahnya. Masih ada 3 lokasi kerja."},
	{NotLocked, Meta{"state": "open"},
		"This time entry is not locked. Change it instead of correcting it.",
		"Entri waktu ini tidak terkunci. Ubahlah entri itu sendiri."},
	{NotPending, nil,
		"Nothing here waits for a decision.",
		"Tidak ada yang menunggu keputusan."},
	{NotPending, Meta{"state": "approved"},
		"Nothing here waits for a decision: it is approved.",
		"Tidak ada yang menunggu keputusan: approved."},
	{OneShiftADay, Meta{"shift": "Pagi", "otherShift": "Siang", "date": "2026-03-10"},
		"Pagi and Siang are both on 2026-03-10; a person may have one shift a day.",
		"Pagi dan Siang sama-sama pada 2026-03-10; setiap orang hanya boleh satu shift sehari."},
	{OnLeave, Meta{"leaveOn": "2026-03-10"},
		"There is approved leave on 2026-03-10.",
		"Ada cuti yang disetujui pada 2026-03-10."},
	{Overlap, nil,
		"The time overlaps with another record of the same person.",
		"Waktu ini bertumpang tindih dengan catatan lain dari orang yang sama."},
	{Overlap, Meta{"date": "2026-03-10"},
		"The time overlaps with another record of the same person on 2026-03-10.",
		"Waktu ini bertumpang tindih dengan catatan lain dari orang yang sama pada 2026-03-10."},
	{ShiftOverlap, Meta{"shift": "Malam", "date": "2026-03-10", "otherShift": "Pagi", "otherDate": "2026-03-11"},
		"Malam on 2026-03-10 and Pagi on 2026-03-11 are at the same time.",
		"Malam pada 2026-03-10 dan Pagi pada 2026-03-11 bersamaan."},
	{State, Meta{"state": "closed"},
		"This is not possible in the state closed.",
		"Ini tidak dapat dilakukan dalam status closed."},
	{TextGone, nil,
		"The text of this message is no longer kept: it has arrived, failed or expired.",
		"Teks pesan ini tidak disimpan lagi karena sudah sampai, gagal, atau kedaluwarsa."},
	{TimerRunning, nil,
		"A timer is running. Stop it first.",
		"Ada pengukur waktu yang berjalan. Hentikan terlebih dahulu."},
	{TimerRunning, Meta{"since": conflictTime},
		"A timer is running since 10 Mar 09:00 UTC. Stop it first.",
		"Ada pengukur waktu yang berjalan sejak 10 Mar 09.00 UTC. Hentikan terlebih dahulu."},
	{TooLate, nil,
		"It is too late for this.",
		"Sudah terlambat."},
	{TooLate, Meta{"until": conflictTime},
		"It is too late for this: it was possible until 10 Mar 09:00 UTC.",
		"Sudah terlambat: batasnya 10 Mar 09.00 UTC."},
	{TooLate, Meta{"since": conflictTime},
		"It is too late for this: the shift began 10 Mar 09:00 UTC.",
		"Sudah terlambat: shift dimulai 10 Mar 09.00 UTC."},
	{TooLate, Meta{"date": "2026-03-10"},
		"It is too late for this: the date was 2026-03-10.",
		"Sudah terlambat: tanggalnya 2026-03-10."},
	{Worked, Meta{"date": "2026-03-10"},
		"A shift that would go has attendances or requested corrections on 2026-03-10.",
		"Shift yang akan dihapus memiliki absensi atau pengajuan koreksi pada 2026-03-10."},
	{Worked, Meta{"attendances": 2},
		"A shift that would go has attendances or requested corrections. Attendances: 2.",
		"Shift yang akan dihapus memiliki absensi atau pengajuan koreksi. Absensi: 2."},
	{Worked, Meta{"corrections": 1},
		"A shift that would go has attendances or requested corrections. Corrections: 1.",
		"Shift yang akan dihapus memiliki absensi atau pengajuan koreksi. Koreksi: 1."},
}

// TestConflictTexts proves what each reason of CONFLICT says in both languages, and that
// clients get it beside the facts.
func TestConflictTexts(t *testing.T) {
	tried := map[ConflictReason]bool{}
	for _, tt := range conflictCases {
		tried[tt.reason] = true
		for lang, want := range map[string]string{"en": tt.en, "id": tt.id} {
			p := ProblemOf(Conflicts(tt.reason, "field", tt.meta), lang)
			if p.Code != "CONFLICT" || p.Detail != want || p.Errors[0] != (FaultDetail{"field", "CONFLICT", want}) {
				t.Errorf("%s %v in %s: %s %q %v, want %q", tt.reason, tt.meta, lang, p.Code, p.Detail, p.Errors, want)
			}
			if p.Meta["conflict"] != string(tt.reason) || len(p.Meta) != len(tt.meta)+1 {
				t.Errorf("%s: meta %v, want %v and the reason", tt.reason, p.Meta, tt.meta)
			}
		}
	}
	if len(tried) != len(conflicts) {
		t.Errorf("tried %d reasons of %d", len(tried), len(conflicts))
	}
	if p := ProblemOf(Conflicts(Ended, "", nil), "en"); len(p.Errors) != 0 {
		t.Errorf("without a field: errors %v", p.Errors)
	}
}

// unreasoned matches what makes a CONFLICT without a reason.
var unreasoned = regexp.MustCompile(`errs\.(New|Field)\(\s*errs\.Conflict\b|Code:\s*errs\.Conflict\b`)

// TestConflictReasons proves that each reason of CONFLICT has texts and is used, and that no
// CONFLICT is made without one.
func TestConflictReasons(t *testing.T) {
	reasons, used := constants[ConflictReason](t, "conflict.go", "ConflictReason"), map[string]bool{}
	named := regexp.MustCompile(`\berrs\.(\w+)\b`)
	walk(t, ".go", func(path string, text []byte) {
		if strings.HasPrefix(path, "../../internal/errs/") {
			return
		}
		if found := unreasoned.Find(text); found != nil {
			t.Errorf("%s: %q has no reason; call errs.Conflicts", path, found)
		}
		if strings.HasSuffix(path, "_test.go") || notServed.MatchString(path) {
			return
		}
		for _, m := range named.FindAllSubmatch(text, -1) {
			used[string(m[1])] = true
		}
	})
	for name, reason := range reasons {
		text := conflicts[reason]
		if text[0] == "" || text[1] == "" || text[0] == text[1] {
			t.Errorf("%s: texts %q, want one in each language", name, text)
		}
		if !used[name] {
			t.Errorf("nothing uses %s", name)
		}
	}
	if len(conflicts) != len(reasons) {
		t.Errorf("%d texts for %d reasons", len(conflicts), len(reasons))
	}
}

// TestUnreasoned finds what makes a CONFLICT without a reason, and nothing that compares
// the code.
func TestUnreasoned(t *testing.T) {
	for text, want := range map[string]bool{
		`errs.New(errs.Conflict, nil)`:                true,
		`errs.Field(errs.Conflict, "status", nil)`:    true,
		`&errs.Error{Code: errs.Conflict, Err: err}`:  true,
		`errs.Fault{Field: "a", Code: errs.Conflict}`: true,
		`errs.Conflicts(errs.State, "", nil)`:         false,
		`errs.Is(err, errs.Conflict)`:                 false,
		`refused[k] = errs.Conflict`:                  false,
	} {
		if got := unreasoned.MatchString(text); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}
