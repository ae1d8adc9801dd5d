/** The public page of a player. */

import { html, nothing, render } from "lit-html";
import { call, isFailure, Refused } from "./api.js";
import { attribute, element } from "./dom.js";
import "./shell.js";
import { statsTable } from "./stats.js";
import { challengeTitle, duration, longDate, number, shortDate, t } from "./texts.js";

/** @import { PlayerPage, PlayerResult } from "api-types" */

const page = element("[data-player]");

async function read() {
  try {
    const name = encodeURIComponent(attribute(page, "player"));
    render(content(await call(`/players/${name}`)), page);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const isMissing = error instanceof Refused && error.code === "not_found";
    const text = t(isMissing ? "player.missing" : "board.unreachable");
    render(html`<p class="empty">${text}</p>`, page);
  }
}

/** @param {PlayerPage} player */
const content = ({ since, streak, longest_streak, stats, results }) => html`
  <p class="soft">${t("profile.since", { date: longDate(since.slice(0, 10)) })}</p>
  <section class="panel" aria-labelledby="streak"><h2 id="streak">${t("profile.streak")}</h2>
    <p class="big">${t("finish.days", { count: streak })}</p>
    <p class="soft">${t("profile.longest", { count: longest_streak })}</p></section>
  <section class="panel" aria-labelledby="stats"><h2 id="stats">${t("profile.stats")}</h2>
    ${stats.length ? statsTable(stats) : html`<p class="empty">${t("profile.no_stats")}</p>`}</section>
  ${results.length ? recent(results) : nothing}`;

/** @param {PlayerResult[]} results */
const recent = (
  results,
) => html`<section class="panel" aria-labelledby="recent"><h2 id="recent">${t("profile.recent")}</h2>
  <ul class="recent">${results.map(line)}</ul></section>`;

/** @param {PlayerResult} result */
const line = ({ date, challenge, rank, of, elapsed_ms, attempt_id }) => html`<li>
  <span class="when">${shortDate(date)}</span> <span class="what">${challengeTitle(challenge)}</span>
  <span class="how">${t("today.own_cleared", { time: duration(elapsed_ms), rank: number(rank), of: number(of) })}</span>
  <a href="/replay/${attempt_id}">${t("board.replay")}<span class="unseen"> ${challengeTitle(challenge)}, ${longDate(date)}</span></a></li>`;

await read();
