{{- define "workforce.labels" -}}
app.kubernetes.io/name: workforce
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- /* What a flag is set to, as text: a number as it was written, not as 2e+06, and a list with commas. */ -}}
{{- define "workforce.text" -}}
{{- if kindIs "slice" . }}{{ join "," . }}{{ else if kindIs "string" . }}{{ . }}{{ else }}{{ toJson . }}{{ end -}}
{{- end }}
{{- define "workforce.secret" -}}
- name: {{ .name }}
  valueFrom: {secretKeyRef: {name: {{ .secret }}, key: {{ .key }}, optional: {{ .optional }}}}
{{- end }}
