import { type JobPlan, type MarketFactsMessage, readMarket } from '@maker/contracts';
import { RequestClient } from '@maker/messaging';
import { type Booking, bookedFor, bookedForPaid, freeAgainAt } from '@maker/rules';
import { SingleFlight } from '@maker/service-kit';
import { Inject, Injectable } from '@nestjs/common';
import type { ClientSession } from 'mongoose';
import type { z } from 'zod';
import { JOB_CONFIGURATION, type JobConfiguration } from '../configuration.ts';
import { CapacityRepository, type Parties, partiesOf } from '../job/capacity.repository.ts';
import type { Job } from '../job/job.ts';
import {
  capacityOf,
  largestBudget,
  makePaidPlan,
  makePlan,
  type PlanTerms,
  planTerms,
  publishedPlan,
} from './make-plan.ts';
import { MarketsRepository } from './markets.repository.ts';
import { assertPaymentAmount, assertTaken, passOn, TokenNotTradable } from './refusals.ts';

/** Message if token-validation gives none. Source: specification § 8. */
const NOT_TRADABLE_MESSAGE = 'Token does not meet minimum liquidity requirements';

/** Timeout of token-validation, which reads the chain, ms. It is below the gateway's timeout. */
const MARKET_TIMEOUT_MS = 4000;

/** The plan of a job that would be accepted, with its market. */
export interface OfferedPlan {
  readonly plan: JobPlan;
  readonly market: MarketFactsMessage;
  /** Time of the chain's newest block, ms. */
  readonly chainTimeMs: number;
}

/** Makes the plans of jobs: for a budget before payment, and for what was paid. Source: design § 4a, docs/adr/0027. */
@Injectable()
export class PlansService {
  private readonly terms: PlanTerms;
  private readonly minimumWei: bigint;
  /** Concurrent requests share one reading of a market, and one plan if their budgets are equal. */
  private readonly offers = new SingleFlight<OfferedPlan>();
  private readonly readings = new SingleFlight<z.output<typeof readMarket.reply>>();
  private readonly bookings = new SingleFlight<readonly Booking[]>();

  constructor(
    @Inject(JOB_CONFIGURATION) configuration: JobConfiguration,
    private readonly requests: RequestClient,
    private readonly capacity: CapacityRepository,
    private readonly markets: MarketsRepository,
  ) {
    this.terms = planTerms(configuration);
    this.minimumWei = configuration.MINIMUM_PAYMENT_HYPE;
  }

  /**
   * Makes the plan of a job for this budget. Concurrent equal requests get the same object.
   * @param parties of the job, as far as they are known
   * @throws AmountOutOfRange, TokenNotTradable, NoCapacity, or the failure of token-validation
   */
  offer(parties: Parties, depositWei: bigint): Promise<OfferedPlan> {
    const keys = partiesOf(parties);
    return this.offers.run(`${keys.join()} ${depositWei}`, () =>
      this.makeOffer(parties.tokenAddress, keys, depositWei),
    );
  }

  private async makeOffer(tokenAddress: string, parties: readonly string[], depositWei: bigint): Promise<OfferedPlan> {
    assertPaymentAmount(depositWei, this.minimumWei);
    const { verdict, market } = await this.readings
      .run(tokenAddress, () => this.requests.request(readMarket, { tokenAddress }, MARKET_TIMEOUT_MS))
      .catch(passOn);
    if (!verdict.isValid) throw new TokenNotTradable(verdict.errorMessage ?? NOT_TRADABLE_MESSAGE);
    if (!market) throw new Error(`token-validation accepts ${tokenAddress} without its market`);
    const bookings = await this.bookings.run('', () => this.capacity.bookings());
    const whole = capacityOf(this.terms, market);
    const chainTimeMs = Date.parse(verdict.checkedAtBlock.at);
    const question = { depositWei, startAtMs: chainTimeMs, market, booked: bookedFor(whole, bookings, parties) };
    const plan = makePlan(this.terms, question);
    if (plan.warnings.includes('no_capacity'))
      assertTaken(plan, largestBudget(this.terms, question), freeAgainAt(whole, bookings, parties));
    assertTaken(plan);
    const published = publishedPlan(this.terms, plan, market);
    if (!published) throw new Error(`An accepted plan for ${tokenAddress} buys nothing`);
    return { plan: published, market, chainTimeMs };
  }

  /** Plans and books a paid job in the transaction of its activation. @returns undefined without a market: it was booked before */
  async book(
    job: Job,
    session: ClientSession,
  ): Promise<Required<Pick<Job, 'plan' | 'offeredPlan' | 'booked'>> | undefined> {
    const market = await this.markets.take(job.jobId, session);
    if (!market || !job.payment || job.paidAtMs === undefined) return undefined;
    const whole = capacityOf(this.terms, market);
    await this.capacity.takeTurn(session, whole);
    const parties = partiesOf({ ...job, network: await this.capacity.networkOf(job.jobId, session) });
    const plan = makePaidPlan(this.terms, {
      depositWei: job.payment.amountWei,
      startAtMs: job.paidAtMs,
      market,
      booked: bookedForPaid(whole, await this.capacity.bookings(session), parties),
      seenPriceX96: BigInt(job.plan.purchase.seenPriceX96),
      agreedSlotMs: job.plan.slotMs,
    });
    const published = publishedPlan(this.terms, plan, market);
    return published && { plan: published, offeredPlan: job.plan, booked: plan.pace };
  }

  /** Removes the market of a job that can no longer be paid. */
  async forget(jobId: string, session: ClientSession): Promise<void> {
    await this.markets.take(jobId, session);
  }
}
