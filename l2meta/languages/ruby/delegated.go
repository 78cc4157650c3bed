package ruby

import (
	"slices"
	"strings"

	"sextant/l2meta/resolve"
)

// Rails and Sidekiq run a method of an instance when a method of its class is called, and make
// the instance themselves. Notifier.welcome(user).deliver_later runs the action welcome of a
// mailer. CountJob.perform_later(story) runs the method perform of a job.

// performs is the method of a job that does its work.
const performs = "perform"

var (
	// enqueuing names the class methods of a job that run its work, at once or later.
	enqueuing = []string{"perform_later", "perform_now", "perform_async", "perform_in", "perform_at", "perform_sync",
		"perform_inline"}
	mailerBases = []string{"ActionMailer::Base"}
	jobBases    = []string{"ActiveJob::Base", "Sidekiq::Job", "Sidekiq::Worker"}
)

// delegated returns the method of an instance that a call of a method on the class x runs: the action of a mailer, or
// perform of a job.
func (r reader) delegated(p place, x object, name string) found {
	if x.kind != known || !x.meta {
		return found{}
	}
	instance := object{kind: known, class: x.class}
	switch {
	case slices.Contains(enqueuing, name) && r.extends(x.class, jobBases):
		return r.find(p, instance, performs)
	case r.extends(x.class, mailerBases):
		return r.find(p, instance, name)
	}
	return found{}
}

// configures reports whether a call on the class x returns an object that later calls use like
// the class: Notifier.with(user: u), CountJob.set(wait: 5).
func (r reader) configures(x object, name string) bool {
	if x.kind != known || !x.meta {
		return false
	}
	return name == "with" && r.extends(x.class, mailerBases) || name == "set" && r.extends(x.class, jobBases)
}

type extendsKey struct{ class, base string }

// extends reports whether a class has one of several classes or modules of libraries among its ancestors.
func (r reader) extends(class string, bases []string) bool {
	return resolve.Derive(r.w, extendsKey{class, bases[0]}, func() bool {
		return slices.ContainsFunc(r.steps(object{kind: known, class: class}), func(s step) bool {
			return slices.Contains(bases, strings.TrimPrefix(s.unknown, "::"))
		})
	})
}
