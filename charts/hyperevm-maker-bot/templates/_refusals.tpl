{{/* Valid values that lose money or make an installation inoperable. Each sentence names the value and the remedy. */}}

{{/* A JSON list. */}}
{{- define "maker.refusals" -}}
{{- $problems := list }}
{{- range list "maker.refusals.operators" "maker.refusals.treasury" "maker.refusals.chain" "maker.refusals.workloads" "maker.refusals.cluster" "maker.refusals.limits" }}
{{- $problems = concat $problems (include . $ | fromJsonArray) }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{- define "maker.refusals.operators" -}}
{{- $problems := list }}
{{- $keys := .Values.makerExecutor.operatorKeys }}
{{- if .Values.makerExecutor.enabled }}
{{- if and (not $keys) (include "maker.makesKeys" .) }}
{{- else if not $keys }}
{{- $problems = append $problems "makerExecutor.operatorKeys: is empty, so no operator can cancel, return, release or resume; set the public key of each operator, made by `ops new-key`" }}
{{- else if and (eq (int64 .Values.chain.id) 999) (lt (len $keys) 2) }}
{{- $problems = append $problems "makerExecutor.operatorKeys: names one operator, and releasing held money takes two; add a second" }}
{{- end }}
{{- $owners := dict }}
{{- range $name, $key := $keys }}
{{- if eq $key (repeat 43 "A") }}
{{- $problems = append $problems (printf "makerExecutor.operatorKeys.%s: is the example; set the public key that `ops new-key` printed" $name) }}
{{- else if hasKey $owners $key }}
{{- $problems = append $problems (printf "makerExecutor.operatorKeys.%s: is the key of %s; let each operator make their own by `ops new-key`" $name (get $owners $key)) }}
{{- end }}
{{- $_ := set $owners $key $name }}
{{- end }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{- define "maker.refusals.treasury" -}}
{{- $problems := list }}
{{- $address := .Values.treasury }}
{{- $own := "set an address that you have the key of" }}
{{- $lower := lower $address }}
{{- if eq $lower (printf "0x%s" (repeat 40 "4")) }}
{{- $problems = append $problems (printf "treasury: %s is the example; %s" $address $own) }}
{{- else if or (eq $lower (printf "0x%s" (repeat 40 "0"))) (eq $lower "0x000000000000000000000000000000000000dead") }}
{{- $problems = append $problems (printf "treasury: no one has the key of %s, the fee would be lost; %s" $address $own) }}
{{- else if eq $lower (printf "0x%s" (repeat 40 "2")) }}
{{- $problems = append $problems (printf "treasury: %s is the bridge to HyperCore, which credits the sender; %s" $address $own) }}
{{- else if eq $lower (printf "0x%s" (repeat 40 "5")) }}
{{- $problems = append $problems (printf "treasury: %s is the contract of wrapped HYPE; %s" $address $own) }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{- define "maker.refusals.chain" -}}
{{- $problems := list }}
{{- $chain := .Values.chain }}
{{- $id := int64 $chain.id }}
{{- if and (not (has (toString $id) (list "998" "999"))) (not $chain.exchanges) }}
{{- $problems = append $problems (printf "chain.id: %d has no exchanges built in; set 999 (HyperEVM) or 998 (testnet), or list its exchanges in chain.exchanges" $id) }}
{{- end }}
{{- range .Values.rpc.urls }}
{{- $host := (urlParse .).host }}
{{- $of := get (dict "rpc.hyperliquid.xyz" "999" "rpc.hyperliquid-testnet.xyz" "998") $host }}
{{- if and $of (ne $of (toString $id)) }}
{{- $problems = append $problems (printf "rpc.urls: %s is an endpoint of chain %s; set endpoints of chain %d" . $of $id) }}
{{- end }}
{{- end }}
{{- $confirms := or .Values.tokenValidation.enabled .Values.paymentWatcher.enabled .Values.makerExecutor.enabled }}
{{- if and $confirms (ne (include "maker.trustsSingleEndpoint" .) "true") (eq (len (include "maker.rpcHosts" . | fromJsonArray)) 1) }}
{{- $named := "rpc.urls:" }}
{{- with $chain.existingSecret }}{{ $named = printf "chain.existingSecret: Secret %s" . }}{{ end }}
{{- $problems = append $problems (printf "%s names one host, and no second one confirms a payer and a price; add an endpoint of another provider, or set paymentWatcher.trustSingleEndpoint: true" $named) }}
{{- end }}
{{- if eq $id 999 }}
{{- if .Values.evaluation.mongodb.enabled }}
{{- $problems = append $problems "evaluation.mongodb.enabled: keeps the record of real money without a copy; set mongodb.url, or chain.id: 998" }}
{{- end }}
{{- if .Values.evaluation.nats.enabled }}
{{- $problems = append $problems "evaluation.nats.enabled: is one server without passwords; set nats.url, or chain.id: 998" }}
{{- end }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{- define "maker.refusals.workloads" -}}
{{- $problems := list }}
{{- range include "maker.components" . | fromYamlArray }}
{{- $name := .values }}
{{- $values := index $.Values $name }}
{{- if $values.enabled }}
{{- if and (eq (int $values.replicas) 0) (not (default dict $values.autoscaling).enabled) }}
{{- $problems = append $problems (printf "%s.replicas: 0 stops the product for everybody; set at least 1, or %s.enabled: false where another release runs it" $name $name) }}
{{- end }}
{{- with $values.podDisruptionBudget }}
{{- if and .enabled (eq (toString .minAvailable) "") (has (toString .maxUnavailable) (list "0" "0%")) }}
{{- $problems = append $problems (printf "%s.podDisruptionBudget.maxUnavailable: %v blocks the drain of a node forever; set at least 1" $name .maxUnavailable) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{/* Enabled features that the cluster lacks. If the chart omitted them silently, operators would notice too late. */}}
{{- define "maker.refusals.cluster" -}}
{{- $problems := list }}
{{- $apis := .Capabilities.APIVersions }}
{{- if and .Values.httpRoute.parentRefs (not ($apis.Has "gateway.networking.k8s.io/v1")) }}
{{- $problems = append $problems "httpRoute.parentRefs: this cluster knows no gateway.networking.k8s.io/v1; install the Gateway API, or use ingress.enabled" }}
{{- end }}
{{- if and .Values.apiGateway.enabled (or .Values.ingress.enabled .Values.httpRoute.parentRefs) (not .Values.apiGateway.trustedProxies) }}
{{- $problems = append $problems "apiGateway.trustedProxies: is empty, so all visitors behind your ingress share the limits of one client; set the networks of your proxies" }}
{{- end }}
{{- if and .Values.alertmanagerConfig.enabled (not ($apis.Has "monitoring.coreos.com/v1alpha1")) }}
{{- $problems = append $problems "alertmanagerConfig.enabled: this cluster knows no monitoring.coreos.com/v1alpha1; install the Prometheus operator, or use k8s/alertmanager/alertmanager.yaml" }}
{{- end }}
{{- if and .Values.podMonitor.enabled (not ($apis.Has "monitoring.coreos.com/v1")) }}
{{- $problems = append $problems "podMonitor.enabled: this cluster knows no monitoring.coreos.com/v1; install the Prometheus operator, or set podMonitor.enabled: false" }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{- define "maker.refusals.limits" -}}
{{- $problems := list }}
{{- with .Values.job }}
{{- if lt (int64 .paymentTimeoutSeconds) 60 }}
{{- $problems = append $problems (printf "job.paymentTimeoutSeconds: %d is too short to pay in, every payment would be late; set at least 60" (int64 .paymentTimeoutSeconds)) }}
{{- end }}
{{- end }}
{{- $share := 0 }}
{{- range list "tokenValidation" "paymentWatcher" "makerExecutor" }}
{{- $values := index $.Values . }}
{{- if $values.enabled }}{{ $share = add $share (int64 $values.rpcSharePercent) }}{{ end }}
{{- end }}
{{- if gt $share 100 }}
{{- $problems = append $problems (printf "makerExecutor.rpcSharePercent: with tokenValidation and paymentWatcher %d %% of the RPC plan are given away; keep the sum at 100 or below" $share) }}
{{- end }}
{{- $problems | toJson }}
{{- end }}
