{{/* Objects that values name and the cluster lacks. The chart reports them before any change; a pod would wait until helm gives up. */}}

{{/* A JSON list; empty without a cluster (`helm template`) and for a namespace that the release creates. */}}
{{- define "maker.missingObjects" -}}
{{- $missing := list }}
{{- if and .Values.checks.existing (lookup "v1" "ServiceAccount" .Release.Namespace "default") }}
{{- range include "maker.secretsUsed" . | fromJsonArray }}
{{- if .name }}
{{- $secret := lookup "v1" "Secret" $.Release.Namespace .name }}
{{- if not $secret }}
{{- $missing = append $missing (printf "%s: there is no Secret %s in namespace %s" .value .name $.Release.Namespace) }}
{{- else if not (hasKey (default dict $secret.data) .key) }}
{{- $missing = append $missing (printf "%s: Secret %s has no key %s" .value .name .key) }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.ops.recovery }}
{{- if and .enabled .plan.existingConfigMap (not (lookup "v1" "ConfigMap" $.Release.Namespace .plan.existingConfigMap)) }}
{{- $missing = append $missing (printf "ops.recovery.plan.existingConfigMap: there is no ConfigMap %s in namespace %s" .plan.existingConfigMap $.Release.Namespace) }}
{{- end }}
{{- if and .enabled .journal.existingClaim (not (lookup "v1" "PersistentVolumeClaim" $.Release.Namespace .journal.existingClaim)) }}
{{- $missing = append $missing (printf "ops.recovery.journal.existingClaim: there is no PersistentVolumeClaim %s in namespace %s" .journal.existingClaim $.Release.Namespace) }}
{{- end }}
{{- end }}
{{- end }}
{{- $missing | toJson }}
{{- end }}

{{/* Every Secret that pods of the release read, as a JSON list of the value that names it, its name and its key. */}}
{{- define "maker.secretsUsed" -}}
{{- $used := list }}
{{- with .Values.webhookSender }}
{{- if .enabled }}
{{- $used = append $used (dict "value" "webhookSender.endpoints.existingSecret" "name" .endpoints.existingSecret "key" .endpoints.key) }}
{{- end }}
{{- end }}
{{- with .Values.makerExecutor.seed }}
{{- if or $.Values.makerExecutor.enabled $.Values.ops.recovery.enabled }}
{{- $used = append $used (dict "value" "makerExecutor.seed.existingSecret" "name" .existingSecret "key" .key) }}
{{- $used = append $used (dict "value" "makerExecutor.seed.passphrase.existingSecret" "name" .passphrase.existingSecret "key" .passphrase.key) }}
{{- end }}
{{- end }}
{{- if or .Values.secrets.keys (and (include "maker.makesKeys" .) .Release.IsUpgrade) }}
{{- $keys := list "xpub" "agreement-key" "agreement-signers" "api-keys.json" "site-api-key" "operator-api-key" }}
{{- if not .Values.makerExecutor.seed.existingSecret }}{{ $keys = append $keys "mnemonic" }}{{ end }}
{{- range include "maker.components" . | fromYamlArray }}
{{- if and .nats (index $.Values .values).enabled }}
{{- if not (include "maker.runsMongodb" $) }}{{ $keys = append $keys (printf "mongodb-%s" .name) }}{{ end }}
{{- if not (include "maker.runsNats" $) }}{{ $keys = append $keys (printf "nats-%s" .name) }}{{ end }}
{{- end }}
{{- end }}
{{- range $keys }}
{{- $used = append $used (dict "value" "secrets.keys" "name" (include "maker.keysSecret" $) "key" .) }}
{{- end }}
{{- end }}
{{- with .Values.canary }}
{{- if .enabled }}
{{- $used = append $used (dict "value" "canary.apiKey.existingSecret" "name" .apiKey.existingSecret "key" .apiKey.key) }}
{{- $used = append $used (dict "value" "canary.wallet.existingSecret" "name" .wallet.existingSecret "key" .wallet.key) }}
{{- end }}
{{- end }}
{{- $used = append $used (dict "value" "chain.existingSecret" "name" .Values.chain.existingSecret "key" .Values.chain.key) }}
{{- if .Values.tracing.enabled }}
{{- $used = append $used (dict "value" "tracing.headers.existingSecret" "name" .Values.tracing.headers.existingSecret "key" .Values.tracing.headers.key) }}
{{- end }}
{{- $used | toJson }}
{{- end }}
