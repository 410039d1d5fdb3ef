{{/* The services with their own user at NATS and MongoDB, as a JSON list. */}}
{{- define "maker.serverUsers" -}}
{{- $users := list }}
{{- range include "maker.components" . | fromYamlArray }}{{ if .nats }}{{ $users = append $users .name }}{{ end }}{{ end }}
{{- $users | toJson }}
{{- end }}

{{/* The enabled components. To add one, add a line here and a folder of templates. A YAML list of the component's name, the name of its
values, and the servers that it uses. */}}
{{- define "maker.components" -}}
- { name: api-gateway, values: apiGateway, nats: true, mongo: true, host: api }
- { name: token-validation, values: tokenValidation, nats: true, mongo: true, chain: true }
- { name: job, values: job, nats: true, mongo: true }
- { name: payment-watcher, values: paymentWatcher, nats: true, mongo: true, chain: true }
- { name: maker-executor, values: makerExecutor, nats: true, mongo: true, chain: true }
- { name: webhook-sender, values: webhookSender, nats: true, mongo: true }
- { name: receipts, values: receipts, nats: true, mongo: true }
- { name: site, values: site, host: site }
{{- end }}
