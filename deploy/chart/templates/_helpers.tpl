{{- define "workforce.labels" -}}
app.kubernetes.io/name: workforce
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
{{- define "workforce.secret" -}}
- name: {{ .name }}
  valueFrom: {secretKeyRef: {name: {{ .secret }}, key: {{ .key }}, optional: {{ .optional }}}}
{{- end }}
