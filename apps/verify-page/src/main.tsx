import '@maker/ui/styles.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { VerifyPage } from './verify-page.tsx';

const container = document.getElementById('root');
if (!container) throw new Error('The page has no element #root');
document.documentElement.dataset.started = '';
createRoot(container).render(
  <StrictMode>
    <VerifyPage />
  </StrictMode>,
);
