// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { VerdictReport } from './verdict-report.tsx';

afterEach(cleanup);

const verdict = {
  cautions: [],
  service: 'A job of an unknown service.',
  proven: ['The fee is 30 %.'],
  asserted: ['The service says “all is well”.'],
  unknown: ['Whether 0xcc is the treasury.'],
};

it('separates proven, asserted and unknown facts', () => {
  render(<VerdictReport verdict={verdict} />);
  const region = (name: string) => within(screen.getByRole('region', { name }));
  expect(region('Proven by the Chain').getByText('The fee is 30 %.')).toBeTruthy();
  expect(region('Said by the Service, Not Proven').getByText('The service says “all is well”.')).toBeTruthy();
  expect(region('Not Known').getByText('Whether 0xcc is the treasury.')).toBeTruthy();
  expect(screen.getByText('A job of an unknown service.')).toBeTruthy();
  expect(screen.getByText(/^1 point is not known: read it\./)).toBeTruthy();
});

it('names the broken rule', () => {
  const broken = { rule: 'fee', problem: 'The fee was taken 2 times.' };
  render(<VerdictReport verdict={{ ...verdict, broken, asserted: [], unknown: [] }} />);
  expect(screen.getByText('Not confirmed: The fee was taken 2 times. Do not rely on this receipt.')).toBeTruthy();
  expect(screen.queryByRole('region', { name: 'Not Known' })).toBeNull();
});

it('begins with what a payer must know first', () => {
  render(<VerdictReport verdict={{ ...verdict, cautions: ['The fee was taken and nothing was bought.'] }} />);
  expect(screen.getByText('The fee was taken and nothing was bought.')).toBeTruthy();
});
