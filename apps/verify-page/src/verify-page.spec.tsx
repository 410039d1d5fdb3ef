// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { readEndpoint, VerifyPage } from './verify-page.tsx';

beforeEach(() => {
  cleanup();
  render(<VerifyPage />);
});

const verify = (content: string, endpoint: string, service = '') => {
  fireEvent.change(screen.getByRole('textbox', { name: /^Site of the service/ }), { target: { value: service } });
  const file = new File([content], 'receipt.json', { type: 'application/json' });
  fireEvent.change(screen.getByLabelText('Receipt file'), { target: { files: [file] } });
  fireEvent.change(screen.getByRole('textbox', { name: 'RPC endpoint' }), { target: { value: endpoint } });
  const form = document.querySelector('form');
  if (form) fireEvent.submit(form);
};

it('rejects other files without a request to the endpoint', async () => {
  verify('{"receipt":{}}', 'https://rpc.test');
  expect(
    await screen.findByText(/^Not confirmed: This is no receipt of a job.* Do not rely on this receipt\.$/),
  ).toBeTruthy();
  verify('no JSON at all', 'https://rpc.test');
  expect(await screen.findByText(/^Not confirmed: This is no receipt of a job/)).toBeTruthy();
});

it('accepts only https endpoints', () => {
  verify('{}', 'http://rpc.test');
  expect(screen.getByText('Enter the https address of an RPC endpoint')).toBeTruthy();
  expect(readEndpoint('https://rpc.test/evm ')?.href).toBe('https://rpc.test/evm');
  expect(['', 'rpc.test', 'ws://rpc.test', 'javascript:alert(1)'].map(readEndpoint)).toEqual(Array(4).fill(undefined));
});

it('accepts the site of a service or none', async () => {
  const wrong = 'Enter the https address of the site, or leave this empty';
  verify('{"receipt":{}}', 'https://rpc.test', 'the bot');
  expect(screen.getByText(wrong)).toBeTruthy();
  expect(screen.queryByText(/^Not confirmed/)).toBeNull();
  verify('{"receipt":{}}', 'https://rpc.test', ' https://bot.test ');
  expect(await screen.findByText(/^Not confirmed: This is no receipt of a job/)).toBeTruthy();
  expect(screen.queryByText(wrong)).toBeNull();
});
