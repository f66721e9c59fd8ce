//! Answers when a server asks who is there.

use git2::Cred;
use git2::CredentialType;
use git2::Error;
use git2::ErrorClass;
use git2::ErrorCode;

/// Gives each kind of answer once: libgit2 asks again and again as long as it gets one.
#[derive(Default)]
pub struct Access {
    given: Vec<CredentialType>,
}

impl Access {
    /// The next answer that was not given yet: git's credential helper, or the ssh agent.
    pub fn answer(&mut self, url: &str, user: Option<&str>, allowed: CredentialType) -> Result<Cred, Error> {
        if self.first(allowed, CredentialType::USERNAME) {
            return Cred::username(user.unwrap_or("git"));
        }
        if self.first(allowed, CredentialType::SSH_KEY) {
            return Cred::ssh_key_from_agent(user.unwrap_or("git"));
        }
        if self.first(allowed, CredentialType::USER_PASS_PLAINTEXT) {
            let config = git2::Config::open_default()?;
            return Cred::credential_helper(&config, url, user).map_err(|_| refused("no credentials for it"));
        }
        Err(refused(if self.given.is_empty() {
            "no credentials for it"
        } else {
            "the credentials were refused"
        }))
    }

    fn first(&mut self, allowed: CredentialType, kind: CredentialType) -> bool {
        let first = allowed.contains(kind) && !self.given.contains(&kind);
        if first {
            self.given.push(kind);
        }
        first
    }
}

fn refused(why: &str) -> Error {
    Error::new(ErrorCode::Auth, ErrorClass::Callback, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_answer_is_given_once() {
        let mut access = Access::default();
        let all = CredentialType::USERNAME | CredentialType::SSH_KEY;
        assert!(access.answer("ssh://h/o/n", None, all).is_ok());
        assert!(access.answer("ssh://h/o/n", Some("git"), all).is_ok());
        let error = access.answer("ssh://h/o/n", Some("git"), all).err().unwrap();
        assert_eq!((error.code(), error.message()), (ErrorCode::Auth, "the credentials were refused"));
    }
}
