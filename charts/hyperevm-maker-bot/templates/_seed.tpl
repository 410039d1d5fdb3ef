{{/*
Keys that only their owner may read: the seed in a pod that signs (every one uses `makerExecutor.seed`), and the key of agreements
in the pod of job. The helpers take a component; see _names.tpl.
*/}}

{{- define "maker.agreementKeyContainer" -}}
# A user other than root reads a Secret's files by group permission, and the service refuses a key that a group
# can read. So this container copies the key into memory for its owner only. No other container mounts the Secret's file.
- name: agreement-key
  image: {{ include "maker.image" . }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  securityContext:
    {{- toYaml .values.containerSecurityContext | nindent 4 }}
  resources:
    {{- toYaml .values.resources | nindent 4 }}
  command: [/app/node, -e]
  args:
    - |
      const { readFileSync, rmSync, writeFileSync } = require('node:fs');
      const to = '/run/agreement/agreement-key';
      rmSync(to, { force: true });
      writeFileSync(to, readFileSync('/secret/agreement/agreement-key'), { mode: 0o400 });
  volumeMounts:
    - name: agreement-secret
      mountPath: /secret/agreement
      readOnly: true
    - name: agreement
      mountPath: /run/agreement
{{- end }}

{{- define "maker.agreementKeyVolumes" -}}
- name: agreement-secret
  secret:
    secretName: {{ include "maker.keysSecret" .root }}
    defaultMode: 0440
    items:
      - key: agreement-key
        path: agreement-key
- name: agreement
  emptyDir:
    medium: Memory
    sizeLimit: 1Mi
{{- end }}

{{- define "maker.seedContainer" -}}
{{- $seed := .root.Values.makerExecutor.seed -}}
# A user other than root reads a Secret's files by group permission, and the signer refuses a seed that a group
# can read. So this container copies the seed into memory for its owner only. No other container mounts the Secret.
- name: seed
  image: {{ include "maker.image" . }}
  imagePullPolicy: {{ .root.Values.image.pullPolicy }}
  securityContext:
    {{- toYaml .values.containerSecurityContext | nindent 4 }}
  resources:
    {{- toYaml .values.resources | nindent 4 }}
  command: [/app/node, -e]
  args:
    - |
      const { readFileSync, rmSync, writeFileSync } = require('node:fs');
      const place = (from, to) => {
        rmSync(to, { force: true });
        writeFileSync(to, readFileSync(from), { mode: 0o400 });
      };
      place('/secret/seed/mnemonic', '/run/seed/mnemonic');
      {{- if $seed.passphrase.existingSecret }}
      place('/secret/passphrase/passphrase', '/run/seed/passphrase');
      {{- end }}
  volumeMounts:
    - name: seed-secret
      mountPath: /secret/seed
      readOnly: true
    {{- if $seed.passphrase.existingSecret }}
    - name: seed-passphrase-secret
      mountPath: /secret/passphrase
      readOnly: true
    {{- end }}
    - name: seed
      mountPath: /run/seed
{{- end }}

{{- define "maker.seedVolumes" -}}
{{- $seed := .root.Values.makerExecutor.seed }}
{{- $mnemonic := include "maker.seedIn" .root | fromJson -}}
- name: seed-secret
  secret:
    secretName: {{ $mnemonic.existingSecret }}
    defaultMode: 0440
    items:
      - key: {{ $mnemonic.key }}
        path: mnemonic
{{- if $seed.passphrase.existingSecret }}
- name: seed-passphrase-secret
  secret:
    secretName: {{ $seed.passphrase.existingSecret }}
    defaultMode: 0440
    items:
      - key: {{ $seed.passphrase.key }}
        path: passphrase
{{- end }}
- name: seed
  emptyDir:
    medium: Memory
    sizeLimit: 1Mi
{{- end }}

{{- /* The operators' public keys as the executor reads them: name:key, separated by commas. */ -}}
{{- define "maker.operatorKeys" -}}
{{- $pairs := list -}}
{{- range $name, $key := . }}{{ $pairs = append $pairs (printf "%s:%s" $name $key) }}{{ end -}}
{{- join "," $pairs -}}
{{- end }}
