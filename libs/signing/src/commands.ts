export {
  type ChainedRow,
  FIRST_HASH,
  hashOfRow,
  isSignedBy,
  OperatorKeyError,
  publicKeyText,
  readPrivateKey,
  readPublicKey,
  signCommand,
} from './command-signature.ts';
