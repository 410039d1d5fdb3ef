import { formatHype } from '@maker/rules';
import { Button, Checkbox, ErrorBoundary, LiveRegion, Notice, StepFrame } from '@maker/ui';
import {
  type AmountStepProps,
  type ApiResult,
  createJob,
  judgeReturnAddress,
  logQuietly,
  type RefusedAddress,
  refusedAddress,
} from '@maker/web-kit';
import { type FormEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { BudgetCards } from './budget-cards.tsx';
import { judgeBudget } from './budget-choice.ts';
import { type BudgetForm, keepForm, startForm } from './budget-form.ts';
import { ChosenSubject } from './chosen-subject.tsx';
import { DECIMAL_SEPARATOR } from './decimal-separator.ts';
import { PlanPanel } from './plan/plan-panel.tsx';
import { takesOnlyPart } from './plan/plan-text.ts';
import { usePlan } from './plan/use-plan.ts';
import { ReturnAddressField } from './return-address-field.tsx';
import * as styles from './step.module.css';
import { createIdempotencyKey, IdempotencyKeys, jobRequest, keepMadeJob, madeJob, openJob } from './submission.ts';

/** The wizard's third step: the budget. */
export default function AmountStep({ api, configuration, token, onJobCreated, onBack }: AmountStepProps) {
  const { tokenAddress } = token;
  const [form, setForm] = useState(startForm);
  /** The budget that the visitor was asked to confirm. */
  const [askedWei, setAskedWei] = useState<bigint>();
  const [creating, setCreating] = useState(false);
  const [lastRefused, setLastRefused] = useState<RefusedAddress>();
  const leaving = useLeaving();
  const [keys] = useState(() => new IdempotencyKeys(createIdempotencyKey));

  const budget = judgeBudget(form.choice, configuration.minimumPaymentWei, DECIMAL_SEPARATOR);
  const { known: plan, settle, askAgain } = usePlan(api, token, budget.amountWei);
  const shownPlan = plan?.result.ok && !plan.isOld ? plan.result.data : undefined;
  const isTaken = !plan || plan.isOld || !isRefusal(plan.result);
  const entered = { typed: form.returnAddress, isContract: form.returnAddressIsContract };
  const address = judgeReturnAddress(entered, lastRefused, { tokenAddress, treasury: configuration.botWalletAddress });
  const complete = budget.amountWei !== undefined && form.termsAccepted && address.isUsable && isTaken;
  const change = (part: Partial<BudgetForm>) => {
    const consent = 'returnAddress' in part && { returnAddressIsContract: false };
    const changed = { ...form, ...consent, ...part };
    setForm(changed);
    keepForm(changed);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!complete || budget.amountWei === undefined || creating) return;
    setCreating(true);
    const { signal } = leaving.current;
    const { returnAddress } = form;
    const request = jobRequest(token, budget.amountWei, returnAddress, form.returnAddressIsContract);
    const made = await madeJob(api, request, { signal });
    if (signal.aborted) return;
    if (made) return onJobCreated(made);
    // The visitor may press CONTINUE before the plan is shown.
    const planned = await settle();
    if (signal.aborted) return;
    const isUnasked = planned?.ok && takesOnlyPart(planned.data) && askedWei !== budget.amountWei;
    if (isUnasked) setAskedWei(budget.amountWei);
    if (isUnasked || (planned && isRefusal(planned))) {
      setCreating(false);
      return;
    }
    const result = await createJob(api, request, { idempotencyKey: keys.keyFor(request), signal });
    if (signal.aborted) return;
    setCreating(false);
    if (result.ok) {
      const job = openJob(token, result.data, new Date(api.clock.now()));
      keepMadeJob(request, job);
      onJobCreated(job);
      return;
    }
    logQuietly('Job creation failed', result.error);
    // The plan panel shows why the service accepts no job.
    askAgain();
    setLastRefused(refusedAddress(returnAddress, result.error));
  };

  const goBack = () => {
    leaving.current.abort();
    onBack();
  };

  return (
    <StepFrame title="Choose Your Boosting Budget" width="wide" onBack={goBack}>
      <form className={styles.form} onSubmit={submit} noValidate>
        <div className={styles.choice}>
          <BudgetCards form={form} budget={budget} minimumWei={configuration.minimumPaymentWei} onChange={change} />
          <ErrorBoundary onError={(error) => logQuietly('The plan could not be shown', error)}>
            <PlanPanel known={plan} now={api.clock.now()} />
          </ErrorBoundary>
        </div>
        <div className={styles.side}>
          <ChosenSubject
            token={token}
            amountWei={budget.amountWei}
            plan={shownPlan}
            minimumWei={configuration.minimumPaymentWei}
            onUse={(typed) => change({ customTyped: typed, choice: { kind: 'custom', typed } })}
          />
          <ReturnAddressField
            value={form.returnAddress}
            problem={address.problem}
            refused={address.refused}
            isContract={form.returnAddressIsContract}
            onChange={change}
          />
          <Checkbox isSelected={form.termsAccepted} onChange={(termsAccepted) => change({ termsAccepted })}>
            I accept the <a href="/terms">Terms of Service</a>
          </Checkbox>
          <LiveRegion>
            {shownPlan && takesOnlyPart(shownPlan) && askedWei !== undefined && askedWei === budget.amountWei && (
              <Notice tone="yellow">{`Press CONTINUE again for ${formatHype(askedWei)} HYPE.`}</Notice>
            )}
          </LiveRegion>
          <Button type="submit" size="large" disabled={!complete} busy={creating}>
            {creating ? 'CREATING JOB...' : 'CONTINUE'}
          </Button>
        </div>
      </form>
    </StepFrame>
  );
}

/** Whether the service accepts no job of this amount; the plan panel shows why. */
function isRefusal(result: ApiResult<unknown>): boolean {
  return !result.ok && result.error.statusCode === 422;
}

/** An AbortController that aborts when the visitor leaves the step, so that a late answer creates no job. */
function useLeaving(): RefObject<AbortController> {
  const leaving = useRef(new AbortController());
  useEffect(() => {
    leaving.current = new AbortController();
    return () => leaving.current.abort();
  }, []);
  return leaving;
}
