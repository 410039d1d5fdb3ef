{{/* Scrape settings of both kinds of monitor. Takes `serviceMonitor`. */}}
{{- define "maker.scrape" -}}
- port: ops
  path: /metrics
  interval: {{ .interval }}
  {{- with .scrapeTimeout }}
  scrapeTimeout: {{ . }}
  {{- end }}
  {{- with .relabelings }}
  relabelings:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .metricRelabelings }}
  metricRelabelings:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
