import { createElement, lazy, Suspense } from 'react';
import { createRoot } from 'react-dom/client';

const TermsPage = lazy(() => import('terms/page'));
const TokenStep = lazy(() => import('token/step'));

const nothing = () => undefined;
const api = {
  call: async () => ({ ok: false, error: { message: 'The host says no.', error: 'Bad Request' } }),
};

createRoot(document.body.appendChild(document.createElement('main'))).render(
  createElement(
    Suspense,
    null,
    createElement(TokenStep, { api, onBack: nothing, onValidated: nothing }),
    createElement(TermsPage, { onBack: nothing, onHome: nothing }),
  ),
);
