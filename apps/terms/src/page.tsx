import { Button, StepFrame } from '@maker/ui';
import type { TermsPageProps } from '@maker/web-kit';
import { Contents } from './contents.tsx';
import * as styles from './page.module.css';
import type { TermsSection } from './section.ts';
import { legalSections } from './sections/legal.tsx';
import { paymentSections } from './sections/payment.tsx';
import { serviceSections } from './sections/service.tsx';

const SECTIONS: readonly TermsSection[] = [...serviceSections, ...paymentSections, ...legalSections];

/** The Terms of Service. Source: specification §§ 2 and 9, design § 2. */
export default function TermsPage({ onBack, onHome }: TermsPageProps) {
  return (
    <StepFrame
      title="Terms of Service"
      lead={<time dateTime="2025-07-26">Last updated 26 July 2025</time>}
      onBack={onBack}
      width="wide"
    >
      <div className={styles.terms}>
        <Contents sections={SECTIONS} />
        <article className={styles.text}>
          {SECTIONS.map((section, index) => (
            <section key={section.id} id={section.id} aria-labelledby={`${section.id}-title`}>
              <h2 id={`${section.id}-title`} tabIndex={-1}>
                <span className={styles.number}>{index + 1}</span> {section.title}
              </h2>
              {section.body}
            </section>
          ))}
          <div className={styles.end}>
            <Button variant="secondary" onClick={onHome}>
              Go to the start
            </Button>
          </div>
        </article>
      </div>
    </StepFrame>
  );
}
