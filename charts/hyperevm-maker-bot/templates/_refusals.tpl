{{/* Valid values that lose money or make an installation inoperable. Each sentence names the value and the remedy. */}}

{{/* A JSON list. */}}
{{- define "maker.refusals" -}}
{{- $problems := list }}
{{- range list "maker.refusals.names" "maker.refusals.operators" "maker.refusals.treasury" "maker.refusals.chain" "maker.refusals.workloads" "maker.refusals.images" "maker.refusals.resources" "maker.refusals.network" "maker.refusals.cluster" "maker.refusals.limits" }}
{{- $problems = concat $problems (include . $ | fromJsonArray) }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{/* A release may have a name that no Service can have. */}}
{{- define "maker.refusals.names" -}}
{{- $name := include "maker.fullname" . }}
{{- $problems := list }}
{{- /* Helm itself refuses capitals. */}}
{{- if not (regexMatch "^[a-zA-Z]([-a-zA-Z0-9]*[a-zA-Z0-9])?$" $name) }}
{{- $problems = append $problems (printf "fullnameOverride: Kubernetes refuses a Service named %s; set a name of a-z, 0-9 and -, which begins with a letter" $name) }}
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
{{- /* As `recipientProblem` of libs/rules: zero, precompiles, addresses for burning, system addresses. */}}
{{- else if regexMatch "^0x(0{32}.{8}|dead0{12}.{24}|(dead){10}|e{40}|f{40}|3{40}|20(00){11}.{16})$" $lower }}
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
{{- $least := int (include "maker.leastReplicas" (dict "values" $values)) }}
{{- $available := toString .minAvailable }}
{{- if and .enabled (gt $least 1) (or (eq $available "100%") (and (regexMatch "^[0-9]+$" $available) (ge (int $available) $least))) }}
{{- $problems = append $problems (printf "%s.podDisruptionBudget.minAvailable: %s blocks the drain of a node forever; set less than the %d replicas" $name $available $least) }}
{{- end }}
{{- if and .enabled (eq (toString .minAvailable) "") (has (toString .maxUnavailable) (list "0" "0%")) }}
{{- $problems = append $problems (printf "%s.podDisruptionBudget.maxUnavailable: %v blocks the drain of a node forever; set at least 1" $name .maxUnavailable) }}
{{- end }}
{{- end }}
{{- end }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{/* A tag that moves: two pods of a release would run different code, and a rollback would change nothing. */}}
{{- define "maker.refusals.images" -}}
{{- $problems := list }}
{{- $remedy := "names another image at each release; set a version, or a digest" }}
{{- if eq .Values.image.tag "latest" }}
{{- $problems = append $problems (printf "image.tag: latest %s" $remedy) }}
{{- end }}
{{- range $name, $values := .Values }}
{{- if and (kindIs "map" $values) (kindIs "map" (get $values "image")) }}
{{- if and (eq (toString (get $values.image "tag")) "latest") (not (get $values.image "digest")) (ne $name "image") }}
{{- $problems = append $problems (printf "%s.image.tag: latest %s" $name $remedy) }}
{{- end }}
{{- end }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{/* A quantity of CPU or memory as a number. */}}
{{- define "maker.quantity" -}}
{{- $text := toString . }}
{{- $suffix := regexFind "[a-zA-Z]+$" $text }}
{{- $factors := dict "m" 0.001 "k" 1e3 "M" 1e6 "G" 1e9 "T" 1e12 "P" 1e15 "E" 1e18 "Ki" 1024 "Mi" 1048576 "Gi" 1073741824 "Ti" 1099511627776 "Pi" 1125899906842624 "Ei" 1152921504606846976 }}
{{- mulf (float64 (trimSuffix $suffix $text)) (float64 (get $factors $suffix | default 1)) }}
{{- end }}

{{/* Kubernetes makes no pod that requests more than its limit. */}}
{{- define "maker.refusals.resources" -}}
{{- $problems := list }}
{{- $places := dict "evaluation.nats" .Values.evaluation.nats "evaluation.mongodb" .Values.evaluation.mongodb }}
{{- range $name, $values := .Values }}
{{- if and (kindIs "map" $values) (hasKey $values "resources") }}{{ $_ := set $places $name $values }}{{ end }}
{{- end }}
{{- range $place, $values := $places }}
{{- $limits := default dict $values.resources.limits }}
{{- range $kind, $request := $values.resources.requests }}
{{- $limit := get $limits $kind }}
{{- if and $limit $request (gt (include "maker.quantity" $request | float64) (include "maker.quantity" $limit | float64)) }}
{{- $problems = append $problems (printf "%s.resources.requests.%s: %v is above the limit of %v; request at most the limit" $place $kind $request $limit) }}
{{- end }}
{{- end }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{/* An empty list in a NetworkPolicy allows everything, where its author wanted nothing. */}}
{{- define "maker.refusals.network" -}}
{{- $problems := list }}
{{- if .Values.networkPolicy.enabled }}
{{- with .Values.networkPolicy }}
{{- $peers := dict "dns.to" .dns.to "metrics.from" .metrics.from "nats.to" .nats.to "mongo.to" .mongo.to "chain.to" .chain.to "tracing.to" .tracing.to }}
{{- range $name, $list := $peers }}
{{- if not $list }}
{{- $problems = append $problems (printf "networkPolicy.%s: is empty, which Kubernetes takes for every address; name the peers" $name) }}
{{- end }}
{{- end }}
{{- end }}
{{- with .Values.webhookSender }}
{{- if and .enabled (not .networkPolicy.to) }}
{{- $problems = append $problems "webhookSender.networkPolicy.to: is empty, which Kubernetes takes for every address; name the networks of your endpoints" }}
{{- end }}
{{- if and .enabled (not .networkPolicy.ports) }}
{{- $problems = append $problems "webhookSender.networkPolicy.ports: is empty, which Kubernetes takes for every port; name the ports of your endpoints" }}
{{- end }}
{{- end }}
{{- end }}
{{- if and (eq .Values.services.ipFamilyPolicy "SingleStack") (gt (len .Values.services.ipFamilies) 1) }}
{{- $problems = append $problems "services.ipFamilies: names two families, and services.ipFamilyPolicy: SingleStack takes one; name one" }}
{{- end }}
{{- $url := .Values.mongodb.url }}
{{- if and $url (not (include "maker.runsMongodb" .)) (not (hasPrefix "mongodb+srv://" $url)) (not (contains "replicaSet=" $url)) }}
{{- $problems = append $problems (printf "mongodb.url: %s names no replica set, which transactions need; add ?replicaSet= and its name" $url) }}
{{- end }}
{{- $problems | toJson }}
{{- end }}

{{/* Enabled features that the cluster lacks. If the chart omitted them silently, operators would notice too late. */}}
{{- define "maker.refusals.cluster" -}}
{{- $problems := list }}
{{- $apis := .Capabilities.APIVersions }}
{{- range .Values.httpRoute.parentRefs }}
{{- if not (get . "name") }}
{{- $problems = append $problems "httpRoute.parentRefs: names no Gateway; set `name` in each entry" }}
{{- end }}
{{- end }}
{{- range .Values.apiGateway.trustedProxies }}
{{- if regexMatch "^[0-9.]+/[0-7]$|:.*/[0-6]$" . }}
{{- $problems = append $problems (printf "apiGateway.trustedProxies: %s lets clients choose their own address by X-Forwarded-For, and with it their rate limit; set the networks of your proxies" .) }}
{{- end }}
{{- end }}
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
{{- if gt (int64 .paymentTimeoutSeconds) 604800 }}
{{- $problems = append $problems (printf "job.paymentTimeoutSeconds: %d keeps the place of an unpaid job for more than a week; set at most 604800" (int64 .paymentTimeoutSeconds)) }}
{{- end }}
{{- if lt (int64 .plan.executionWindowSeconds) 60 }}
{{- $problems = append $problems (printf "job.plan.executionWindowSeconds: %d is too short for a job's orders; set at least 60" (int64 .plan.executionWindowSeconds)) }}
{{- end }}
{{- if lt (int64 .paymentTimeoutSeconds) 60 }}
{{- $problems = append $problems (printf "job.paymentTimeoutSeconds: %d is too short to pay in, every payment would be late; set at least 60" (int64 .paymentTimeoutSeconds)) }}
{{- end }}
{{- end }}
{{- if gt (int64 .Values.chain.confirmations) 100 }}
{{- $problems = append $problems (printf "chain.confirmations: %d lets each payment and order wait for as many blocks; set at most 100" (int64 .Values.chain.confirmations)) }}
{{- end }}
{{- $minimum := float64 .Values.minimumPaymentHype }}
{{- if and (gt $minimum 100.0) (le $minimum 1000.0) }}
{{- $problems = append $problems (printf "minimumPaymentHype: %s leaves visitors hardly a choice below 1000, which is the most that a job takes; set at most 100" .Values.minimumPaymentHype) }}
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
