package server

import (
	"net/http"
	"time"

	"workforce/internal/database"
	"workforce/internal/doctor"
	"workforce/internal/message"
)

// Subject returns what the settings name, to be examined. faults is what the command finds wrong with
// them besides.
func (s Config) Subject(faults error) doctor.Subject {
	p, err := s.parse()
	if err == nil {
		_, err = s.hashes(Schema(), p.trusted)
	}
	if faults == nil {
		faults = err
	}
	of := doctor.Subject{
		Settings: faults, Migrate: s.Migrate, KeyFile: s.SecretKeyFile, PublicURL: s.PublicURL, Demo: s.Demo,
		TLSCert: s.TLSCert, TLSKey: s.TLSKey, Issued: len(s.TLSDomain) > 0,
		Now: func() time.Time { return time.Now().UTC() }, Client: &http.Client{Timeout: 10 * time.Second}, Disk: doctor.Free,
	}
	if database.Check(s.Database) == nil {
		of.Database = s.Database
	}
	if s.checkFiles() == nil {
		of.Files = s.filesURL()
	}
	if mail, err := s.parseMail(); s.SMTPURL != "" && err == nil {
		of.Mail = mail.Check
	}
	if s.SMSURL != "" && s.checkGateway() == nil {
		of.Gateway = message.Gateway{URL: s.SMSURL, Client: of.Client}.Check
		of.Secure = doctor.Secure(s.SMSURL)
	}
	return of
}
