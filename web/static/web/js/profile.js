/** The player's own page: streak, times, and every attempt. */

import { html, nothing, render } from "../vendor/lit-html/lit-html.js";
import { all, call } from "./api.js";
import { histogram, streakCalendar } from "./charts.js";
import { today } from "./clock.js";
import { onChange, signedIn } from "./identity.js";
import "./shell.js";
import { statsTable } from "./stats.js";
import { challengeTitle, longDate, shortDate, t } from "./texts.js";
import { summary } from "./worth.js";

const page = document.querySelector("[data-profile]");
const RECENT = 12;

let me = null, attempts = [], chosen = null;

async function read() {
  if (!signedIn()) return render(nobody(), page);
  try {
    [me, attempts] = await Promise.all([call("/me"), all("/me/attempts?limit=100", 400)]);
  } catch {
    return render(signedIn() ? html`<p class="empty">${t("board.unreachable")}</p>` : nobody(), page);
  }
  draw();
}

const nobody = () => html`<p class="empty">${t("profile.nobody")}</p>
  <p class="actions"><a class="button" href="/">${t("profile.play")}</a><a class="button is-quiet" href="/account">${t("account.sign_in")}</a></p>`;

function draw() {
  const cleared = attempts.filter(({ ranked, status }) => ranked && status === "cleared");
  const played = [...new Set(cleared.map(({ challenge }) => challenge))];
  chosen ??= played[0];
  render(html`
    <div class="person">
      <p class="who" translate="no" .textContent=${me.player.name}></p>
      <p class="soft"><span .textContent=${t(me.player.guest ? "profile.guest" : "profile.since", { date: longDate(me.player.joined_at.slice(0, 10)) })}></span>
        <a href="/account" .textContent=${t(me.player.guest ? "profile.claim" : "profile.account")}></a></p>
    </div>
    <section class="panel" aria-labelledby="streak">
      <h2 id="streak">${t("profile.streak")}</h2>
      <p class="big" .textContent=${t("finish.days", { count: me.streak })}></p>
      <p class="soft" .textContent=${t("profile.longest", { count: me.longest_streak })}></p>
      ${streakCalendar(new Set(cleared.map(({ date }) => date)), today())}
    </section>
    <section class="panel" aria-labelledby="stats">
      <h2 id="stats">${t("profile.stats")}</h2>
      ${me.stats.length ? statsTable(me.stats) : html`<p class="empty">${t("profile.no_stats")}</p>`}
    </section>
    ${played.length ? html`<section class="panel" aria-labelledby="times">
      <h2 id="times">${t("profile.times")}</h2>
      ${played.length > 1 ? html`<div class="choices" role="group" aria-label=${t("archive.choose")}>
        ${played.map((id) => html`<button type="button" class="choice" aria-pressed=${String(id === chosen)}
          @click=${() => ((chosen = id), draw())} .textContent=${challengeTitle(id)}></button>`)}</div>` : nothing}
      ${histogram(cleared.filter(({ challenge }) => challenge === chosen).map(({ elapsed_ms }) => elapsed_ms))}
    </section>` : nothing}
    ${attempts.length ? html`<section class="panel" aria-labelledby="recent">
      <h2 id="recent">${t("profile.recent")}</h2>
      <ul class="recent">${attempts.slice(0, RECENT).map(line)}</ul>
    </section>` : nothing}`, page);
}

function line(attempt) {
  const { id, date, challenge, status } = attempt;
  return html`<li><span class="when" .textContent=${shortDate(date)}></span> <span class="what" .textContent=${challengeTitle(challenge)}></span>
    <span class="how" .textContent=${summary(attempt)}></span>
    <a href=${status === "active" ? `/play/${date}/${challenge}` : `/replay/${id}`}><span .textContent=${t(status === "active" ? "today.resume" : "board.replay")}></span><span class="unseen" .textContent=${` ${challengeTitle(challenge)}, ${longDate(date)}`}></span></a></li>`;
}

let shown = signedIn()?.player.id;
onChange(() => {
  if (shown === signedIn()?.player.id) return;
  shown = signedIn()?.player.id;
  read();
});
await read();
