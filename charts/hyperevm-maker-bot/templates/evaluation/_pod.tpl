{{/* Labels and annotations of a server's pod, without the app's version: its change must not restart a server. */}}
{{- define "maker.serverPodMetadata" -}}
labels:
  {{- include "maker.selectorLabels" . | nindent 2 }}
  {{- with merge (dict) .values.podLabels .root.Values.commonLabels }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with merge (dict) .values.podAnnotations .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
