import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findMongod, freePort } from '@maker/local-stack';
import { forget, reapOnDeath } from '@maker/local-stack/command';
import { until } from '../../../support/until.ts';
import { tradesAgain } from './mended.ts';
import { type Run, type RunbookStage, SOON } from './runbook-stage.ts';

const HOST = '127.0.0.1';

/** A replication lag that stops majority writes. */
const LEVEL_MS = 5000;

interface Member {
  readonly stateStr: string;
  readonly optimeDate: Date;
}

/** A further member of the replica set without a vote, so that the set works without it. */
class OtherMember {
  private readonly processes = new Map<RunbookStage, ChildProcess>();

  /** It starts, and is then paused. */
  readonly freeze = async (stage: RunbookStage) => {
    const mongod = await this.start(stage);
    await until(
      'another member',
      () => membersOf(stage),
      (members) => members[1]?.stateStr === 'SECONDARY',
      SOON,
    );
    mongod.kill('SIGSTOP');
    return {};
  };

  readonly letItGoOn = async (stage: RunbookStage) => {
    this.processes.get(stage)?.kill('SIGCONT');
    const lagMs = async () => {
      const [primary, other] = await membersOf(stage);
      return Number(primary?.optimeDate) - Number(other?.optimeDate);
    };
    await until('a member that is level', lagMs, (ms) => ms < LEVEL_MS, SOON);
  };

  private async start(stage: RunbookStage): Promise<ChildProcess> {
    const data = join(stage.folder, 'other-member');
    await mkdir(data);
    const port = await freePort();
    const own = ['--replSet', 'rs0', '--dbpath', data, '--bind_ip', HOST, '--port', String(port), '--nounixsocket'];
    const mongod = spawn(await findMongod(), [...own, '--wiredTigerCacheSizeGB', '0.25', '--quiet'], {
      stdio: 'ignore',
      detached: true,
    });
    const { pid } = mongod;
    if (pid === undefined) throw new Error('mongod does not start');
    reapOnDeath(pid);
    this.processes.set(stage, mongod);
    stage.atEnd(async () => {
      const ended = once(mongod, 'exit');
      mongod.kill('SIGKILL');
      await ended;
      forget(pid);
    });
    const { config } = await stage.administration.command({ replSetGetConfig: 1 });
    const other = { _id: 1, host: `${HOST}:${port}`, priority: 0, votes: 0 };
    const grown = { ...config, version: config.version + 1, members: [...config.members, other] };
    await stage.administration.command({ replSetReconfig: grown });
    return mongod;
  }
}

async function membersOf({ administration }: RunbookStage): Promise<readonly Member[]> {
  return (await administration.command({ replSetGetStatus: 1 })).members;
}

const otherMember = new OtherMember();

/** Faults of the servers, as their exporters show them. */
export const SERVER_RUNS: readonly Run[] = [
  {
    runbook: 'servers-unwell',
    alert: 'MakerMongoReplicationLag',
    makeFault: otherMember.freeze,
    shows: /"member_idx"[\s\S]*"streams": /,
    blocksBefore: 1,
    elsewhere: otherMember.letItGoOn,
    isMended: tradesAgain,
  },
];
