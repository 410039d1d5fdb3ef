{{/* The pod that runs a plan of `recover survey`. Takes the component; see _names.tpl. */}}

{{- define "maker.recoveryPod" -}}
{{- $recovery := .values.recovery -}}
metadata:
  {{- include "maker.podMetadata" . | nindent 2 }}
spec:
  {{- include "maker.podBasics" . | nindent 2 }}
  # The failed pod stays with its log.
  restartPolicy: Never
  initContainers:
    {{- include "maker.seedContainer" . | nindent 4 }}
  containers:
    - name: recovery
      image: {{ include "maker.opsImage" .root }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      securityContext:
        {{- toYaml .values.containerSecurityContext | nindent 8 }}
      resources:
        {{- toYaml .values.resources | nindent 8 }}
      args:
        - recover
        - return
        - --chain-id={{ .root.Values.chain.id | int64 }}
        - --rpc=$(CHAIN_RPC_URLS)
        - --plan=/etc/maker/plan/plan.json
        - --journal=/var/lib/maker/journal/{{ $recovery.plan.existingConfigMap }}.jsonl
        - --below={{ .root.Values.job.firstWalletIndex | int64 }}
        - --seed-file=/run/seed/mnemonic
        {{- if .root.Values.makerExecutor.seed.passphrase.existingSecret }}
        - --passphrase-file=/run/seed/passphrase
        {{- end }}
        - {{ printf "--operator=%s" $recovery.operator | quote }}
        - {{ printf "--reason=%s" $recovery.reason | quote }}
      {{- with .values.extraEnvFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      env:
        {{- include "maker.environment.rpcUrls" . | nindent 8 }}
        {{- with include "maker.environment.egress" .root }}
        {{- . | nindent 8 }}
        {{- end }}
        {{- include "maker.environment.extra" . | nindent 8 }}
      volumeMounts:
        {{- include "maker.volumeMounts" . | nindent 8 }}
        - name: seed
          mountPath: /run/seed
          readOnly: true
        - name: plan
          mountPath: /etc/maker/plan
          readOnly: true
        - name: journal
          mountPath: /var/lib/maker/journal
  volumes:
    {{- include "maker.volumes" . | nindent 4 }}
    {{- include "maker.seedVolumes" . | nindent 4 }}
    - name: plan
      configMap:
        name: {{ $recovery.plan.existingConfigMap }}
        items:
          - key: {{ $recovery.plan.key }}
            path: plan.json
    - name: journal
      persistentVolumeClaim:
        claimName: {{ $recovery.journal.existingClaim }}
{{- end }}
