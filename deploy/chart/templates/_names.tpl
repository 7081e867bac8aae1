{{- define "postrider.name" -}}
{{- printf "%s" .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "postrider.image" -}}
{{- printf "%s:%s" .Values.image.repository (.Values.image.tag | default .Chart.AppVersion) -}}
{{- end -}}

{{- define "postrider.selector" -}}
app.kubernetes.io/name: postrider
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "postrider.labels" -}}
{{ include "postrider.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{/* Of a container: its settings, and the files that hold its secrets. */}}
{{- define "postrider.env" -}}
{{- range $key, $value := .Values.settings }}
- name: {{ $key }}
  value: {{ $value | quote }}
{{- end }}
{{- range $key, $file := .Values.secretKeys }}
- name: {{ $key }}
  value: /run/secrets/postrider/{{ $file }}
{{- end }}
- name: MESSAGING_MEDIA_STORE
  value: {{ .Values.media.store }}
- name: MESSAGING_METRICS_PORT
  value: {{ .Values.monitoring.port | quote }}
{{- end -}}

{{- define "postrider.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "postrider.mounts" -}}
- name: data
  mountPath: /data
- name: temporary
  mountPath: /tmp
- name: secrets
  mountPath: /run/secrets/postrider
  readOnly: true
{{- if eq .Values.media.store "disk" }}
- name: media
  mountPath: /data/media
{{- end }}
{{- end -}}
