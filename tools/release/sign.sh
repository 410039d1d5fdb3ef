#!/bin/sh
# Signs a release that `npm run release -- --unsigned` made: sign.sh FOLDER
#
# It needs only cosign and sha256sum, so the machine with the key needs no package of the product. COSIGN_KEY names the key (a file,
# `env://VARIABLE`, or one of a KMS) and COSIGN_PASSWORD its password. COSIGN names another cosign than the one on the PATH.
set -eu
cd "$1"
: "${COSIGN_KEY:?names no key: a release without a signature cannot be verified}"
: "${COSIGN_PASSWORD=}"
export COSIGN_PASSWORD

# Signatures of a private repository stay out of the public log; verifiers get the public key.
signing() {
  command=$1
  shift
  "${COSIGN:-cosign}" "$command" --yes --key "$COSIGN_KEY" --tlog-upload=false "$@"
}

"${COSIGN:-cosign}" public-key --key "$COSIGN_KEY" > cosign.pub
for reference in $(cat images.txt chart.txt); do
  signing sign "$reference"
  signing attest --type slsaprovenance1 --predicate provenance.json "$reference"
done
for reference in $(cat images.txt); do
  path=${reference%@*}
  signing attest --type cyclonedx --predicate "${path##*/}.cdx.json" "$reference"
done
rm -f SHA256SUMS SHA256SUMS.sig
sums=$(find . -maxdepth 1 -type f | cut -c 3- | LC_ALL=C sort | xargs sha256sum)
echo "$sums" > SHA256SUMS
signing sign-blob --output-signature SHA256SUMS.sig SHA256SUMS
