package server

import (
	"io"
	"log/slog"
	"os"
	"path/filepath"

	"github.com/lmittmann/tint"

	"workforce/internal/token"
)

// NewLog returns a log on w in the format of the settings. With Demo it also
// writes to the file DemoLog, where one-time codes can be read; closing the closer
// closes that file.
func NewLog(s Config, w io.Writer) (*slog.Logger, io.Closer, error) {
	shown := logHandler(s, w)
	if !s.Demo {
		return slog.New(shown), io.NopCloser(nil), nil
	}
	if err := os.MkdirAll(filepath.Dir(s.DemoLog()), 0o700); err != nil {
		return nil, nil, err
	}
	file, err := os.OpenFile(s.DemoLog(), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, nil, err
	}
	kept := slog.NewTextHandler(file, &slog.HandlerOptions{Level: s.LogLevel, ReplaceAttr: maskTokens})
	return slog.New(slog.NewMultiHandler(shown, kept)), file, nil
}

func logHandler(s Config, w io.Writer) slog.Handler {
	opts := &slog.HandlerOptions{Level: s.LogLevel, ReplaceAttr: maskTokens}
	switch {
	case s.LogsJSON(w):
		return slog.NewJSONHandler(w, opts)
	case IsTerminal(w):
		return tint.NewTextHandler(w, &tint.Options{Level: s.LogLevel, ReplaceAttr: maskTokens, TimeFormat: "15:04:05"})
	}
	return slog.NewTextHandler(w, opts)
}

// LogsJSON reports whether a log on w is written as JSON: what --log-format says, else where
// nobody sits at a terminal. A demo is for people, who read its log wherever it goes.
func (s Config) LogsJSON(w io.Writer) bool {
	return s.LogFormat == "json" || s.LogFormat != "text" && !s.Demo && !IsTerminal(w)
}

// maskTokens leaves of tokens in a logged text their kind alone: paths, errors and the values of
// panics have what requests sent.
func maskTokens(_ []string, a slog.Attr) slog.Attr {
	switch a.Value.Kind() {
	case slog.KindString:
		a.Value = slog.StringValue(token.Mask(a.Value.String()))
	case slog.KindAny:
		if err, ok := a.Value.Any().(error); ok {
			a.Value = slog.StringValue(token.Mask(err.Error()))
		}
	}
	return a
}

// IsTerminal reports whether a file, such as standard error, is a terminal.
func IsTerminal(f any) bool {
	file, ok := f.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
