// Evaluates many IAM requests in one process: JSON {policies, requests} on stdin, JSON [{result, ignored}] on stdout.
// Exits with 3 where the evaluator is not installed.
"use strict";

let runSimulation;
let runUnsafeSimulation;
try {
  ({ runSimulation, runUnsafeSimulation } = require("@cloud-copilot/iam-simulate"));
} catch (error) {
  if (error.code !== "MODULE_NOT_FOUND") throw error;
  process.exit(3);
}

// The evaluator compares text, letter by letter, with these options, and each such call makes a collator of its own.
const collator = new Intl.Collator(undefined, { sensitivity: "accent" });
const localeCompare = String.prototype.localeCompare;
String.prototype.localeCompare = function (other, locales, options) {
  const usual = locales === undefined && options?.sensitivity === "accent";
  return usual ? collator.compare(this, other) : localeCompare.call(this, other, locales, options);
};

// What has passed the evaluator's checks of its input, which take far longer than an evaluation.
const checkedPolicies = new Set();
const checkedRequests = new Map();

async function evaluate({ policies, action, resource, account, context }, documents) {
  const simulation = {
    request: {
      principal: `arn:aws:iam::${account}:role/controller`,
      action,
      resource: { resource, accountId: account },
      contextVariables: context,
    },
    identityPolicies: documents[policies],
    serviceControlPolicies: [],
    resourceControlPolicies: [],
  };
  const request = JSON.stringify([action, resource, context]);
  if (checkedPolicies.has(policies) && checkedRequests.has(request)) {
    return { result: runUnsafeSimulation(simulation, {}), ignored: checkedRequests.get(request) };
  }
  const response = await runSimulation(simulation, {});
  if (response.resultType === "error") throw new Error(`${request}: ${JSON.stringify(response.errors)}`);
  const results = response.resultType === "single" ? [response.result] : response.results;
  const ignored = [...new Set(results.flatMap((one) => one.ignoredContextKeys ?? []))];
  checkedPolicies.add(policies);
  checkedRequests.set(request, ignored);
  return { result: response.overallResult, ignored };
}

async function main() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const { policies, requests } = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  const documents = policies.map((byId) => Object.entries(byId).map(([name, policy]) => ({ name, policy })));
  const answers = [];
  for (const request of requests) answers.push(await evaluate(request, documents));
  process.stdout.write(JSON.stringify(answers));
}

main();
