{{/* Objects with the same form for every component. Each helper takes a component; see _names.tpl. */}}

{{- define "maker.serviceAccount" -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  name: {{ include "maker.componentName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "maker.labels" . | nindent 4 }}
  {{- with merge (dict) .values.serviceAccountAnnotations .root.Values.commonAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
automountServiceAccountToken: false
{{- end }}

{{/* The metadata of a Deployment. */}}
{{- define "maker.workloadMetadata" -}}
name: {{ include "maker.componentName" . }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "maker.labels" . | nindent 2 }}
{{- with merge (dict) .root.Values.workloads.annotations .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Update settings of a Deployment. Takes the root context. */}}
{{- define "maker.rollout" -}}
revisionHistoryLimit: {{ .Values.workloads.revisionHistoryLimit | int64 }}
minReadySeconds: {{ .Values.workloads.minReadySeconds | int64 }}
{{- end }}

{{/* IP families of a Service. Takes the root context. */}}
{{- define "maker.ipFamilies" -}}
{{- with .Values.services.ipFamilyPolicy }}
ipFamilyPolicy: {{ . }}
{{- end }}
{{- with .Values.services.ipFamilies }}
ipFamilies:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The metadata of a Service. */}}
{{- define "maker.serviceMetadata" -}}
name: {{ include "maker.componentName" . }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "maker.labels" . | nindent 2 }}
{{- with merge (dict) .root.Values.services.annotations .root.Values.commonAnnotations }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* The Service of a component that only answers over NATS; Prometheus finds its pods by it. */}}
{{- define "maker.headlessService" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "maker.serviceMetadata" . | nindent 2 }}
spec:
  clusterIP: None
  {{- with include "maker.ipFamilies" .root | trim }}{{ . | nindent 2 }}{{ end }}
  selector:
    {{- include "maker.selectorLabels" . | nindent 4 }}
  ports:
    - name: ops
      port: 9090
      targetPort: ops
{{- end }}

{{/* The Service of a component that answers HTTP. */}}
{{- define "maker.httpService" -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "maker.serviceMetadata" . | nindent 2 }}
spec:
  type: ClusterIP
  {{- with include "maker.ipFamilies" .root | trim }}{{ . | nindent 2 }}{{ end }}
  selector:
    {{- include "maker.selectorLabels" . | nindent 4 }}
  ports:
    - name: http
      port: 80
      targetPort: http
      appProtocol: http
    - name: ops
      port: 9090
      targetPort: ops
{{- end }}

{{/* Smallest number of replicas of a component. */}}
{{- define "maker.leastReplicas" -}}
{{- $scaling := default dict .values.autoscaling }}
{{- ternary $scaling.minReplicas .values.replicas (default false $scaling.enabled) }}
{{- end }}

{{/* Only with a second replica: with one, it would block every drain of a node and protect nothing. */}}
{{- define "maker.podDisruptionBudget" -}}
{{- $budget := .values.podDisruptionBudget }}
{{- if and $budget.enabled (gt (int (include "maker.leastReplicas" .)) 1) -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "maker.metadata" . | nindent 2 }}
spec:
  {{- if ne (toString $budget.minAvailable) "" }}
  minAvailable: {{ $budget.minAvailable }}
  {{- else }}
  maxUnavailable: {{ $budget.maxUnavailable }}
  {{- end }}
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "maker.selectorLabels" . | nindent 6 }}
{{- end }}
{{- end }}

{{/* An Ingress of a component that answers HTTP. Also takes "hosts". */}}
{{- define "maker.ingress" -}}
{{- $ingress := .root.Values.ingress -}}
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: {{ include "maker.componentName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "maker.labels" . | nindent 4 }}
  {{- with merge (dict) $ingress.annotations .root.Values.commonAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  {{- with $ingress.className }}
  ingressClassName: {{ . }}
  {{- end }}
  {{- with $ingress.tlsSecretName }}
  tls:
    - hosts:
        {{- toYaml $.hosts | nindent 8 }}
      secretName: {{ . }}
  {{- end }}
  rules:
    {{- range .hosts }}
    - host: {{ . }}
      http:
        paths:
          - path: /
            pathType: Prefix
            backend:
              service:
                name: {{ include "maker.componentName" $ }}
                port:
                  name: http
    {{- end }}
{{- end }}

{{/* An HTTPRoute of a component that answers HTTP. Also takes "hosts". */}}
{{- define "maker.httpRoute" -}}
{{- $route := .root.Values.httpRoute -}}
apiVersion: gateway.networking.k8s.io/v1
kind: HTTPRoute
metadata:
  name: {{ include "maker.componentName" . }}
  namespace: {{ .root.Release.Namespace }}
  labels:
    {{- include "maker.labels" . | nindent 4 }}
  {{- with merge (dict) $route.annotations .root.Values.commonAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  parentRefs:
    {{- toYaml $route.parentRefs | nindent 4 }}
  hostnames:
    {{- toYaml .hosts | nindent 4 }}
  rules:
    {{- with ternary $route.timeouts.liveChannel "" (eq .component "api-gateway") }}
    # A live channel stays open while its page is open.
    - matches:
        - path: { type: PathPrefix, value: /jobs }
          headers:
            - { name: Accept, value: text/event-stream }
      timeouts:
        request: {{ . }}
        backendRequest: {{ . }}
      {{- include "maker.routeTarget" $ | nindent 6 }}
    {{- end }}
    - matches:
        - path: { type: PathPrefix, value: / }
      {{- with $route.timeouts.request }}
      timeouts:
        request: {{ . }}
      {{- end }}
      {{- include "maker.routeTarget" . | nindent 6 }}
{{- end }}

{{/* Backends and filters of an HTTPRoute's rule. */}}
{{- define "maker.routeTarget" -}}
{{- with .root.Values.httpRoute.filters }}
filters:
  {{- toYaml . | nindent 2 }}
{{- end }}
backendRefs:
  - name: {{ include "maker.componentName" . }}
    port: 80
{{- end }}
